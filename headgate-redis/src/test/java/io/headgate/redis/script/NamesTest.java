package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Key;
import io.headgate.redis.Seeds;
import io.headgate.rig.RedisCluster;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamesTest {

    private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.UTF_8);

    @Test
    void namesAKeyByItsDigest() {
        // printf '\0\0\0\1\0a\0b' | openssl dgst -sha256 -binary | head -c 18 | basenc --base64url
        assertThat(name(Names.hashed("rl:"), new Key("a", "b"))).isEqualTo("rl:dZDJp6-hX_jpXigCmgPkSKp2");
    }

    @Test
    void namesAKeyByItsKeyedDigestUnderASecret() {
        Key key = new Key("login", "alice");

        assertThat(name(Names.keyed("rl:", SECRET), key))
                .matches("rl:[0-9A-Za-z_-]{24}")
                .isEqualTo(name(Names.keyed("rl:", SECRET), key))
                .isNotEqualTo(name(Names.hashed("rl:"), key))
                .isNotEqualTo(name(Names.keyed("rl:", new byte[] {1}), key));
    }

    @Test
    void namesAKeyAsItIsForReading() {
        Names names = Names.readable("rl:");

        assertThat(name(names, new Key("login", "alice@example.org"))).isEqualTo("rl:login:alice@example.org");
        assertThat(name(names, new Key("a:b", "{c}\r\né"))).isEqualTo("rl:a%003Ab:%007Bc%007D%000D%000A%00E9");
    }

    /** Known bugs C9, K03, K04, K06: pairs that look alike when joined, and every kind of character. */
    @Test
    void givesDifferentKeysDifferentNames() {
        List<String> parts = List.of(
                "a",
                "b",
                "ab",
                "a:b",
                "b:c",
                "a.b",
                "b.c",
                "{a}",
                "a}",
                "\0",
                "a\0",
                "\r\n",
                "%",
                "%003A",
                "\u00e9",
                "e\u0301",
                "😀",
                "\uD83D",
                "\uDE00",
                "x".repeat(10_000),
                "x".repeat(10_001));
        for (Names names : List.of(Names.hashed("rl:"), Names.keyed("rl:", SECRET), Names.readable("rl:"))) {
            Map<String, Key> seen = new HashMap<>();
            Stream.concat(parts.stream(), Stream.of(""))
                    .flatMap(scope -> parts.stream().map(subject -> new Key(scope, subject)))
                    .forEach(key -> assertThat(seen.put(name(names, key), key)).isNull());
        }
    }

    @Test
    void givesRandomKeysDifferentNames() {
        long seed = Seeds.next();
        Random random = new Random(seed);
        for (Names names : List.of(Names.hashed("rl:"), Names.readable("rl:"))) {
            Map<String, Key> seen = new HashMap<>();
            for (int i = 0; i < Seeds.rounds(5_000); i++) {
                Key key = new Key(text(random), text(random) + "!");
                Key other = seen.put(name(names, key), key);
                assertThat(other == null || other.equals(key))
                        .as("seed %d: %s and %s", seed, key, other)
                        .isTrue();
            }
        }
    }

    /** Known bug R1: whatever the subject and whatever a limit is called. */
    @Test
    void keepsAllLimitsOfAKeyInOneSlot() {
        for (Names names : List.of(Names.hashed("rl:"), Names.keyed("app-", SECRET), Names.readable("rl:"))) {
            for (String subject : List.of("alice", "{alice}", "}{", "{}", "a}b{c")) {
                byte[] first = names.of(new Key("{scope}", subject));
                for (String id : List.of("token-bucket:0", "fixed-window:{x}", "a}:b")) {
                    byte[] further = Names.of(first, id.getBytes(StandardCharsets.UTF_8));
                    assertThat(RedisCluster.slotOf(text(further))).isEqualTo(RedisCluster.slotOf(text(first)));
                }
            }
        }
    }

    @Test
    void rejectsBracesInAPrefix() {
        assertThatThrownBy(() -> Names.checkedPrefix("{app}:"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("{app}:");
    }

    @Test
    void rejectsAnEmptySecret() {
        assertThatThrownBy(() -> Names.checkedSecret(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(3), 0, 4)
                .mapToObj(i -> List.of(":", "a", "\uD83D", "%003A").get(i))
                .collect(Collectors.joining());
    }

    private static String name(Names names, Key key) {
        return text(names.of(key));
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }
}
