package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every subject has its own budget, and no two have the same. */
interface KeyTricks extends Target {

    /** Known bugs C8, K03: a key may be anything that a header may be. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a}", "a:b", "a;b", "rl:{x}", "*", "____EMPTY_KEY__", "null", "unknown:*", "ip:127.0.0.1",
                "'; DROP", "$(id)", "%00", "%0d%0a", "\\", "\"", "a\tb", "a, b", "\u00ff\u00fe"
            })
    default void strangeKeys(String key) {
        String header = "X-API-Key: " + key;
        spend(Target.stranger(), "GET /keyed", header);
        isLimited(key, ask(Target.stranger(), "GET /keyed", header));
        assertThat(ask(Target.stranger(), "GET /keyed", header + "+").status()).isEqualTo(200);
    }

    /** Known bug K03: Spring Security hands out no values with control characters; then the address counts. */
    @Test
    default void keysThatNobodyMayRead() {
        String client = Target.stranger();
        String header = "X-API-Key: \u00f0\u009f\u0098\u0080"; // an emoji, byte by byte
        spend(client, "GET /keyed", header);
        isLimited("emoji", ask(client, "GET /keyed", header));
    }

    /** Known bugs C9, K04: pairs that look alike when joined are different pairs. */
    @Test
    default void pairsThatCollideWhenJoined() {
        List<String> pairs =
                List.of("a b|c", "a|b c", "a+b|c", "a|b+c", "a:b|c", "a|b:c", "1:a|b", "1|a:b", "a;|b", "a|;b");
        for (String pair : pairs) {
            String[] parts = pair.split("\\|", -1);
            assertThat(ask(Target.stranger(), "GET /pair", "A: " + parts[0], "B: " + parts[1])
                            .status())
                    .as(pair)
                    .isEqualTo(200);
        }
        for (String pair : pairs) {
            String[] parts = pair.split("\\|", -1);
            isLimited(pair, ask(Target.stranger(), "GET /pair", "A: " + parts[0], "B: " + parts[1]));
        }
    }

    /** Known bug H6: a key that spells an address does not take from the budget of that address. */
    @Test
    default void keysThatSpellAddresses() {
        String victim = Target.stranger();
        spend(Target.stranger(), "GET /keyed", "X-API-Key: " + victim);
        assertThat(ask(victim, "GET /keyed").status()).isEqualTo(200);
    }

    /** Known bugs C10, K06: two rules keep apart what they count of one key. */
    @Test
    default void oneKeyUnderTwoRules() {
        String key = "X-API-Key: shared" + Target.stranger();
        spend(Target.stranger(), "GET /keyed", key);
        spend(Target.stranger(), "GET /keyed-too", key);
    }
}
