package io.headgate.spring.method.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Where a key can do without a part of the request, and where it is missing without it. */
class RequestReferencesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "#user                               | #user",
                "#client                             | #optionalClient()",
                "#header('X')                        | #optionalHeader('X')",
                "#header('X') ?: #client             | #optionalHeader('X') ?: #optionalClient()",
                "#header('X') ?: (#client + '/a')    | #optionalHeader('X') ?: (#neededClient() + '/a')",
                "(#header('X') ?: #client) + '/a'    | (#optionalHeader('X') ?: #neededClient()) + '/a'",
                "#user + '/' + #client               | #user + '/' + #neededClient()",
                "'#client' + #header('#client')      | '#client' + #neededHeader('#client')",
                "{#client, #header('X')}             | {#neededClient(), #neededHeader('X')}",
                "#user.concat(#header('X'))          | #user.concat(#neededHeader('X'))",
                "#header('X').trim()                 | #neededHeader('X').trim()",
                "#header('X')?.trim()                | #optionalHeader('X')?.trim()",
                "#header('X')?.trim() + 'a'          | #neededHeader('X')?.trim() + 'a'",
                "#header('X') == null ? #client : #header('X') + #user | "
                        + "#optionalHeaderInTest('X') == null ? #optionalClient() : #neededHeader('X') + #user",
                "#header('X').length() > 1 ? #client : 'a' | #neededHeaderInTest('X').length() > 1 ? #optionalClient() : 'a'",
                "#client != 'a' ? #user : #client    | #optionalClientInTest() != 'a' ? #user : #optionalClient()",
            })
    void knowsWhatAKeyNeeds(String text, String functions) {
        assertThat(RequestReferences.asFunctions(text, parsed(text), List.of("#user")))
                .isEqualTo(functions);
    }

    private static SpelNode parsed(String text) {
        return ((SpelExpression) new SpelExpressionParser().parseExpression(text)).getAST();
    }
}
