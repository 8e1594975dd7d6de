package io.headgate.spring.line;

import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import java.lang.reflect.Method;
import java.util.function.Predicate;
import org.springframework.aot.hint.RuntimeHints;

/** Whether a native image knows of methods and fields that are found by name. */
public final class Hints {

    private Hints() {}

    public static Predicate<RuntimeHints> invokes(Class<?> type, String method) {
        return reflection().onMethod(type, method).invoke();
    }

    public static Predicate<RuntimeHints> invokes(String type, String method) throws ClassNotFoundException {
        return reflection().onMethod(type, method).invoke();
    }

    public static Predicate<RuntimeHints> invokes(Method method) {
        return reflection().onMethod(method).invoke();
    }

    public static Predicate<RuntimeHints> accesses(Class<?> type, String field) {
        return reflection().onField(type, field);
    }
}
