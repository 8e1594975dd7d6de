package io.headgate.spring.boot.autoconfigure;

import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/** Registers, for native images, the method by which a guard detects whether a store, including a user's own, can only block. */
final class StoreHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = bean.getBeanClass();
        if (!Store.class.isAssignableFrom(type)) {
            return null;
        }
        Method method = ClassUtils.getMethod(type, "applyAsync", Key.class, Plan.class, Operation.class);
        return (context, code) -> context.getRuntimeHints().reflection().registerMethod(method, ExecutableMode.INVOKE);
    }
}
