package io.headgate.spring.method;

import io.headgate.spring.RateLimit;
import io.headgate.spring.method.expression.ArgumentExpression;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Registers for native images the members that annotations find by name: fallbacks, and what expressions use of the arguments. */
public final class LimitHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        List<Member> found = LimitPostProcessor.canBeRead(type) ? found(type) : List.of();
        return found.isEmpty()
                ? null
                : (context, code) -> {
                    ReflectionHints hints = context.getRuntimeHints().reflection();
                    found.forEach(each -> register(each, hints));
                };
    }

    private static void register(Member member, ReflectionHints hints) {
        if (member instanceof Method method) {
            hints.registerMethod(method, ExecutableMode.INVOKE);
        } else if (member instanceof Field field) {
            hints.registerField(field);
        }
    }

    private static List<Member> found(Class<?> type) {
        List<Member> found = new ArrayList<>();
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            for (RateLimit annotation : Annotations.of(method, type)) {
                found.addAll(found(annotation, method, type));
            }
        }
        return found;
    }

    private static List<Member> found(RateLimit annotation, Method method, Class<?> type) {
        try {
            List<Member> found = new ArrayList<>();
            Stream.of(annotation.key(), annotation.cost())
                    .filter(text -> !text.isEmpty() && !text.contains("${")) // filled in when the application starts
                    .forEach(text ->
                            found.addAll(ArgumentExpression.parse(text, method).members()));
            Method fallback = LimitReader.fallback(annotation, method, type);
            if (fallback != null) {
                found.add(fallback);
            }
            return found;
        } catch (IllegalArgumentException e) {
            return List.of(); // the same error will stop the start-up
        }
    }
}
