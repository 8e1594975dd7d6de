package io.headgate.spring.method.expression;

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
 * Looks up the members that an expression uses in the declared types of the arguments. A member that no value can have is
 * rejected. A member that only a subtype of the declared type can have is {@linkplain #doubts doubtful}.
 */
final class SpelMembers {

    private static final Accessor ACCESSOR = new Accessor();

    private static final String UNSEEN = ", which expressions cannot access";

    private final String text;
    private final Map<String, Class<?>> variables;
    private final List<String> doubts = new ArrayList<>();
    private final List<Member> found = new ArrayList<>();

    /** @param variables the declared type of each variable, by its name with a leading {@code #} */
    SpelMembers(String text, Map<String, Class<?>> variables) {
        this.text = text;
        this.variables = variables;
    }

    /**
     * Finds the type of an expression and looks up the members that it uses.
     *
     * @return the type of its value; {@code null} if that is unknown
     * @throws IllegalArgumentException if the expression uses a member that no value can have or that expressions cannot access
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

    /** Messages about the members that the declared types do not have, so that values must be of subtypes that do. */
    List<String> doubts() {
        return doubts;
    }

    /** The methods and fields that the expression finds by name. */
    List<Member> found() {
        return found;
    }

    private @Nullable Class<?> next(Class<?> owner, SpelNode step) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(owner);
        if (type == Optional.class) { // null-safe navigation unwraps it, so the members may be those of its value
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
            return null; // a class that the type refers to is not on the class path
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
        if (type != Object.class
                && !type.isInterface()
                && candidates.stream().allMatch(each -> each.getDeclaringClass() == Object.class)) {
            doubts.add(asks(type, what) + ", which that type does not override");
        }
        found.addAll(candidates);
        Set<Class<?>> returned = candidates.stream()
                .filter(each -> !each.isBridge() && !(each.getGenericReturnType() instanceof TypeVariable))
                .map(Method::getReturnType)
                .collect(Collectors.toSet());
        return returned.size() == 1 ? returned.iterator().next() : null;
    }

    /**
     * Whether expressions can access the method. They cannot access methods of {@link Class}, nor those of {@link Object} unless the
     * class of a value may override them.
     */
    private static boolean isSeen(Method method, Class<?> type) {
        Class<?> owner = method.getDeclaringClass();
        boolean last = Modifier.isFinal(method.getModifiers()) || Modifier.isFinal(type.getModifiers());
        return owner != Class.class && !(owner == Object.class && last);
    }

    private @Nullable Class<?> missing(Class<?> type, String what) {
        if (type == Object.class) {
            return null; // the value may be of any type
        }
        String problem = asks(type, what) + ", which that type does not have";
        if (Modifier.isFinal(type.getModifiers())) {
            throw new IllegalArgumentException(problem);
        }
        doubts.add(problem);
        return null;
    }

    private String asks(Class<?> type, String what) {
        return "'" + text + "' refers to " + what + " of " + type.getTypeName();
    }

    /** Finds properties as expressions do: {@code getName()}, {@code isName()}, {@code name()} of a record, a public field. */
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
