package io.headgate.spring.method;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;

/**
 * Looks up what an expression asks its arguments for, as far as their declared types tell: a value may be of a type that has
 * more. What no value can have is refused, what its own type does not have is {@linkplain #doubts doubtful}.
 */
final class Members {

    private static final Accessor ACCESSOR = new Accessor();

    private static final String UNSEEN = ", which expressions do not see";

    private final String text;
    private final Map<String, Class<?>> variables;
    private final List<String> doubts = new ArrayList<>();
    private final List<Member> found = new ArrayList<>();

    /** @param variables the declared type of each, by its name with the {@code #} before it */
    Members(String text, Map<String, Class<?>> variables) {
        this.text = text;
        this.variables = variables;
    }

    /**
     * Goes through an expression.
     *
     * @return the type of its value; {@code null} if that cannot be told
     * @throws IllegalArgumentException if it asks for what there can never be
     */
    @Nullable
    Class<?> typeOf(SpelNode node) {
        Class<?> type = node instanceof VariableReference ? variables.get(node.toStringAST()) : null;
        boolean chain = node instanceof CompoundExpression;
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            Class<?> ofChild = typeOf(child);
            if (chain) {
                type = i == 0 ? ofChild : type == null ? null : next(type, child);
            }
        }
        return type;
    }

    /** What the values will have to have beyond their declared types. */
    List<String> doubts() {
        return doubts;
    }

    /** The methods and fields that are found by their names. */
    List<Member> found() {
        return found;
    }

    private @Nullable Class<?> next(Class<?> owner, SpelNode step) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(owner);
        if (type == Optional.class) { // which is looked into
            return null;
        }
        try {
            if (step instanceof PropertyOrFieldReference property) {
                return property(type, property.getName());
            }
            return step instanceof MethodReference method
                    ? method(type, method.getName(), method.getChildCount())
                    : null;
        } catch (LinkageError e) {
            return null; // something of that type is not on the class path
        }
    }

    private @Nullable Class<?> property(Class<?> type, String name) {
        if (type.isArray() && name.equals("length")) {
            return int.class;
        }
        Method getter = ACCESSOR.findGetterForProperty(name, type, false);
        if (getter != null) {
            if (!isSeen(getter, type)) {
                throw new IllegalArgumentException(asks(type, "property " + name) + UNSEEN);
            }
            found.add(getter);
            return getter.getGenericReturnType() instanceof TypeVariable ? null : getter.getReturnType();
        }
        Field field = ACCESSOR.findField(name, type, false);
        if (field == null) {
            return missing(type, "property " + name);
        }
        found.add(field);
        return field.getGenericType() instanceof TypeVariable ? null : field.getType();
    }

    private @Nullable Class<?> method(Class<?> type, String name, int arguments) {
        String what = "method " + name + " with " + arguments + " arguments";
        List<Method> all = Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(Object.class.getMethods()))
                .filter(each -> each.getName().equals(name))
                .filter(each -> each.getParameterCount() == arguments || each.isVarArgs())
                .toList();
        if (all.isEmpty()) {
            return missing(type, what);
        }
        List<Method> candidates = all.stream()
                .filter(each -> !Modifier.isStatic(each.getModifiers()) && isSeen(each, type))
                .toList();
        if (candidates.isEmpty()) {
            throw new IllegalArgumentException(asks(type, what) + UNSEEN);
        }
        found.addAll(candidates);
        Set<Class<?>> returned = candidates.stream()
                .filter(each -> !each.isBridge() && !(each.getGenericReturnType() instanceof TypeVariable))
                .map(Method::getReturnType)
                .collect(Collectors.toSet());
        return returned.size() == 1 ? returned.iterator().next() : null;
    }

    /** Not seen are classes, and what every object has unless the class of a value may have one of its own. */
    private static boolean isSeen(Method method, Class<?> type) {
        Class<?> owner = method.getDeclaringClass();
        boolean last = Modifier.isFinal(method.getModifiers()) || Modifier.isFinal(type.getModifiers());
        return owner != Class.class && !(owner == Object.class && last);
    }

    private @Nullable Class<?> missing(Class<?> type, String what) {
        if (type == Object.class) {
            return null; // anything
        }
        String problem = asks(type, what) + ", which it does not have";
        if (Modifier.isFinal(type.getModifiers())) {
            throw new IllegalArgumentException(problem);
        }
        doubts.add(problem);
        return null;
    }

    private String asks(Class<?> type, String what) {
        return "'" + text + "' asks " + type.getTypeName() + " for its " + what;
    }

    /** As expressions find properties: {@code getName()}, {@code isName()}, {@code name()} of a record, a public field. */
    private static final class Accessor extends ReflectivePropertyAccessor {

        @Override
        protected @Nullable Method findGetterForProperty(String name, Class<?> type, boolean mustBeStatic) {
            return super.findGetterForProperty(name, type, mustBeStatic);
        }

        @Override
        protected @Nullable Field findField(String name, Class<?> type, boolean mustBeStatic) {
            return super.findField(name, type, mustBeStatic);
        }
    }
}
