package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import io.headgate.spring.method.expression.ArgumentExpression;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ReflectionUtils;

/** What an expression over the arguments of a method may say. */
class ArgumentExpressionTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int EVALUATIONS = 1_000;

    private static final Map<String, Integer> ROLES = Map.of("admin", 3);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "#user | ann",
                "#p0 | ann",
                "'all' | all",
                "#user.length() | 3",
                "#user.substring(#items.size()) | n",
                "#user?.bytes.length + ':' + #items[0] | 3:one",
                "#roles[admin] | 3",
                "#items.![length()] | [3, 5]",
                "#items.^[#this.length() > 3] | three",
                "{name: #user} | {name=ann}",
                "#user == null ? 'nobody' : #user | ann"
            })
    void looksAtTheArguments(String text, String value) {
        assertThat(parse(text).value(new Object[] {"ann", List.of("one", "three"), ROLES}))
                .hasToString(value);
    }

    /** None of these could ever be evaluated: there are no beans, no types, nothing to write to, and nothing without a name. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "@secrets.key(#user)",
                "&secrets",
                "T(java.lang.Runtime).getRuntime()",
                "#user instanceof T(String)",
                "new String('a')",
                "#user = 'bob'",
                "#p0++",
                "#user(1)",
                "#root",
                "#this",
                "user",
                "user.name",
                "length()",
                "[0]",
                "![length()]",
                "#user.substring(length())",
                "'a' + user",
                "{user}",
                "{name: user}"
            })
    void rejectsWhatIsNoArgument(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> parse(text)).withMessageContaining("'" + text + "'");
    }

    /** No text has these, so that no call could ever be told whose it is. */
    @ParameterizedTest
    @ValueSource(strings = {"#user.nmae", "#user.size()", "#user.bytes.width", "#user.length(1)", "'a' + #p0.nmae"})
    void rejectsWhatNoArgumentCanHave(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(text))
                .withMessageContaining("'" + text + "' refers to ")
                .withMessageContaining("which that type does not have");
    }

    /** Evaluating these fails whatever the value is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#user.class",
                "#user.class.name",
                "#user.getClass().name",
                "#user.valueOf(1)",
                "#items.of()",
                "#event.getClass()",
                "#event.class.simpleName",
                "#type.name",
                "#type.getName()",
                "#plain.toString()"
            })
    void rejectsWhatExpressionsDoNotSee(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentExpression.parse(text, handed()))
                .withMessageContaining("'" + text + "' refers to ")
                .withMessageContaining("which expressions cannot access");
    }

    /** A class may have these of its own, and those of the values do. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#user.hashCode()",
                "#items.toString()",
                "#event.toString()",
                "#event.length()",
                "#event.bytes",
                "#type"
            })
    void seesWhatAClassHasOfItsOwn(String text) {
        assertThat(ArgumentExpression.parse(text, handed())
                        .value(new Object[] {"ann", List.of("one"), "started", String.class, new Plain()}))
                .isNotNull();
    }

    private static Method handed() {
        return ReflectionUtils.findMethod(
                ArgumentExpressionTest.class,
                "handed",
                String.class,
                List.class,
                Object.class,
                Class.class,
                Plain.class);
    }

    void handed(String user, List<String> items, Object event, Class<?> type, Plain plain) {}

    static final class Plain {}

    @Test
    void knowsArgumentsByTheirOwnNamesFirst() {
        assertThat(ArgumentExpression.parse(
                                "#p1 + #p0",
                                ReflectionUtils.findMethod(getClass(), "numbered", String.class, String.class))
                        .value(new Object[] {"first", "second"}))
                .isEqualTo("firstfirst");
    }

    void numbered(String p1, String p2) {}

    @Test
    void knowsWhatItsValuesAre() {
        assertThat(parse("#user").type()).isEqualTo(String.class);
        assertThat(parse("#user.length()").type()).isEqualTo(int.class);
        assertThat(parse("#user.bytes.length").type()).isEqualTo(int.class);
        assertThat(parse("#items[0]").type()).isNull();
        assertThat(parse("#items.size() + 1").type()).isNull();
    }

    /** To look for a property takes some kilobytes. */
    @Test
    void looksForAPropertyOnce() {
        ArgumentExpression expression = parse("#user.bytes.length");
        Object[] arguments = {"ann", List.of(), ROLES};
        evaluate(expression, arguments);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        evaluate(expression, arguments);
        assertThat((THREADS.getCurrentThreadAllocatedBytes() - before) / EVALUATIONS)
                .as("bytes per evaluation")
                .isLessThan(3_000);
    }

    private static void evaluate(ArgumentExpression expression, Object[] arguments) {
        for (int i = 0; i < EVALUATIONS; i++) {
            expression.value(arguments);
        }
    }

    @Test
    void isTheSameForEveryCallWithoutArguments() {
        assertThat(parse("2 * 3").isConstant()).isTrue();
        assertThat(parse("2 * #items.size()").isConstant()).isFalse();
    }

    @Test
    void saysWhatWasMeant() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("user"))
                .withMessageContaining("the arguments are [#user, #items, #roles, #p0, #p1, #p2]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("@secrets.key()"))
                .withMessageContaining("@secrets");
    }

    /** As a method of the JDK, whose arguments have no names. */
    @Test
    void saysWhyArgumentsHaveNoNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentExpression.parse(
                        "#user", ReflectionUtils.findMethod(String.class, "concat", String.class)))
                .withMessageContaining("the arguments are [#a0, #p0]")
                .withMessageContaining("-parameters");
        assertThatIllegalArgumentException().isThrownBy(() -> parse("#nobody")).withMessageNotContaining("-parameters");
    }

    private static ArgumentExpression parse(String text) {
        return ArgumentExpression.parse(
                text,
                ReflectionUtils.findMethod(
                        ArgumentExpressionTest.class, "called", String.class, List.class, Map.class));
    }

    void called(String user, List<String> items, Map<String, Integer> roles) {}
}
