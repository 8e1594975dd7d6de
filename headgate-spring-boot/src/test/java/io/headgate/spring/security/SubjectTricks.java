package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client is who it is, whatever it says. */
interface SubjectTricks extends Target {

    /** Known bugs H1, H2, I01, I05: from a stranger no header about addresses is believed, and nobody else pays. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: ",
                "x-forwarded-for: ",
                "X-FORWARDED-FOR:",
                "X_Forwarded_For: ",
                "X-Forwarded: ",
                "Forwarded: for=",
                "Forwarded: by=127.1.0.1;for=",
                "Forwarded-For: ",
                "X-Forwarded-Host: ",
                "X-Real-IP: ",
                "X-Client-IP: ",
                "X-Remote-Addr: ",
                "X-Originating-IP: ",
                "X-Cluster-Client-IP: ",
                "X-ProxyUser-Ip: ",
                "True-Client-IP: ",
                "CF-Connecting-IP: ",
                "Fastly-Client-IP: ",
                "Via: "
            })
    default void forgedHeaders(String header) {
        String client = Target.stranger();
        String victim = Target.behindProxy();
        spend(client, "GET /any");
        isLimited(header, ask(client, "GET /any", header + victim));
        isLimited(header, ask(client, "GET /any", header + victim + ", 127.1.0.1"));
        isLimited(header, ask(client, "GET /any", header + "127.1.0.1", header + victim));
        assertThat(ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + victim).status())
                .isEqualTo(200);
    }

    /** Known bugs I02, I03: what a client sent stands to the left of what the proxy saw, in one line or in several. */
    @Test
    default void spoofedPrefixes() {
        String client = Target.behindProxy();
        String other = Target.behindProxy();
        spend(Target.proxy(), "GET /any", "X-Forwarded-For: " + client);
        for (String spoofed :
                List.of(other, "127.1.0.9", "unknown", "::1", "\"", ",,,", "a".repeat(4000), "1, ".repeat(900))) {
            isLimited(spoofed, ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + spoofed + ", " + client));
            isLimited(
                    spoofed,
                    ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + spoofed, "x-forwarded-for: " + client));
            isLimited(
                    spoofed,
                    ask(
                            Target.proxy(),
                            "GET /any",
                            "X-Forwarded-For: " + spoofed + ", " + client + ", 127.1.0.7",
                            "X-Forwarded-For: 127.1.0.8"));
        }
        assertThat(ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + other).status())
                .isEqualTo(200);
    }

    /** Known bug I04: one header is read, and not whichever suits a client. */
    @Test
    default void theOtherHeader() {
        String client = Target.behindProxy();
        String other = Target.behindProxy();
        spend(Target.proxy(), "GET /any", "X-Forwarded-For: " + client);
        isLimited(
                "Forwarded", ask(Target.proxy(), "GET /any", "Forwarded: for=" + other, "X-Forwarded-For: " + client));
        isLimited("X-Real-IP", ask(Target.proxy(), "GET /any", "X-Real-IP: " + other, "X-Forwarded-For: " + client));
        assertThat(ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + other).status())
                .isEqualTo(200);
    }

    /** Known bugs I06, H4: one address in all its spellings is one client. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s:4711",
                "\"%s\"",
                "\"%s:80\"",
                "  %s  ",
                "%s,",
                "%s, ,",
                "[::ffff:%s]",
                "::FFFF:%s",
                "[::ffff:%s]:443"
            })
    default void spellingsOfAnAddress(String spelling) {
        String client = Target.behindProxy();
        spend(Target.proxy(), "GET /any", "X-Forwarded-For: " + client);
        isLimited(spelling, ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + spelling.formatted(client)));
    }

    /** Known bug I06: an entry that is no address is as good as none, and the proxy that passed it on is the client. */
    @Test
    default void entriesThatAreNoAddresses() {
        String proxy = "127.1.0.60";
        spend(proxy, "GET /any");
        for (String junk : List.of(
                "unknown",
                "_hidden",
                "localhost",
                "1.2.3",
                "1.2.3.4.5",
                "999.1.1.1",
                "0x7f000001",
                "1:2",
                "%",
                "127.0.0.1.example",
                "\"",
                "[",
                "::1::",
                "1.2.3.4:99999999",
                "\u0001",
                "1.2.3.4 5")) {
            isHeldOff(junk, ask(proxy, "GET /any", "X-Forwarded-For: " + junk));
        }
    }

    /** Known bugs H3, H4, I07: mapped IPv4 in every form is that IPv4. */
    @Test
    default void mappedAddresses() {
        spend(Target.proxy(), "GET /any", "X-Forwarded-For: 203.0.113.77");
        for (String mapped : List.of(
                "::ffff:203.0.113.77",
                "::ffff:cb00:714d",
                "::FFFF:CB00:714D",
                "0:0:0:0:0:ffff:cb00:714d",
                "0000:0000:0000:0000:0000:ffff:203.0.113.77",
                "203.000.113.077",
                "[::ffff:203.0.113.77%eth0]:80")) {
            isLimited(mapped, ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + mapped));
        }
        assertThat(ask(Target.proxy(), "GET /any", "X-Forwarded-For: ::ffff:203.0.113.78")
                        .status())
                .isEqualTo(200);
    }

    /** Known bugs H5, I07, I08: whoever has one address of a /64 has them all; the next /64 is somebody else. */
    @Test
    default void rotationInsideANetwork() {
        spend(Target.proxy(), "GET /any", "X-Forwarded-For: 2001:db8:1:2::1");
        for (String same : List.of(
                "2001:db8:1:2::2",
                "2001:db8:1:2:ffff:ffff:ffff:ffff",
                "2001:0DB8:0001:0002:0:0:0:1",
                "[2001:db8:1:2::5]:80",
                "\"[2001:db8:1:2::6]\"",
                "2001:db8:1:2::7%eth0")) {
            isLimited(same, ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + same));
        }
        assertThat(ask(Target.proxy(), "GET /any", "X-Forwarded-For: 2001:db8:1:3::1")
                        .status())
                .isEqualTo(200);
    }

    /** Known bug I09: if every hop is a proxy, the one furthest away is the client. */
    @Test
    default void proxiesOnly() {
        spend(Target.proxy(), "GET /any", "X-Forwarded-For: 127.1.0.61, 127.1.0.2");
        isLimited("same", ask("127.1.0.2", "GET /any", "X-Forwarded-For: 127.1.0.61"));
        isLimited("itself", ask("127.1.0.61", "GET /any"));
    }

    /** Known bugs I12, H14: no key, a blank one and two that differ fall back to the address. */
    @Test
    default void keysThatAreNone() {
        String client = Target.stranger();
        spend(client, "GET /keyed");
        isLimited("blank", ask(client, "GET /keyed", "X-API-Key:   "));
        isLimited("empty", ask(client, "GET /keyed", "X-API-Key:"));
        isLimited("two", ask(client, "GET /keyed", "X-API-Key: a" + client, "X-API-Key: b" + client));
        isLimited("two, one blank", ask(client, "GET /keyed", "X-API-Key: a" + client, "X-API-Key:"));
    }

    /** Known bug I12: a key is a key in whatever case its header is written and whatever blanks are around it. */
    @Test
    default void spellingsOfAKey() {
        String key = "k" + Target.stranger();
        spend(Target.stranger(), "GET /keyed", "X-API-Key: " + key);
        for (String same : List.of("x-api-key: " + key, "X-API-KEY:" + key, "X-Api-Key: \t " + key + " \t")) {
            isLimited(same, ask(Target.stranger(), "GET /keyed", same));
        }
        isLimited("twice", ask(Target.stranger(), "GET /keyed", "X-API-Key: " + key, "X-API-Key: " + key));
        assertThat(ask(Target.stranger(), "GET /keyed", "X-API-Key: " + key.toUpperCase(Locale.ROOT))
                        .status())
                .isEqualTo(200); // to an application these are two keys
    }

    /** Known bug I12: a huge key is rejected by the server, and a long one counts like any other. */
    @Test
    default void hugeKeys() {
        isHeldOff("1 MiB", ask(Target.stranger(), "GET /keyed", "X-API-Key: " + "k".repeat(1 << 20)));
        String longKey = "X-API-Key: " + "k".repeat(6000) + Target.stranger();
        spend(Target.stranger(), "GET /keyed", longKey);
        isLimited("long", ask(Target.stranger(), "GET /keyed", longKey));
        assertThat(ask(Target.stranger(), "GET /keyed", longKey + "x").status()).isEqualTo(200);
    }

    /** A bearer token is one however its scheme is written. */
    @Test
    default void bearerTokens() {
        String token = "t" + Target.stranger();
        spend(Target.stranger(), "GET /bearer", "Authorization: Bearer " + token);
        for (String same : List.of("bearer " + token, "BEARER " + token, "Bearer   " + token + " ")) {
            isLimited(same, ask(Target.stranger(), "GET /bearer", "authorization: " + same));
        }
    }
}
