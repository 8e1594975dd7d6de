package io.headgate.http.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headgate.http.Bypass;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.Seeds;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.TestRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StandardSubjectsTest {

    private final StandardSubjects direct = StandardSubjects.builder().build();
    private final StandardSubjects proxied = StandardSubjects.builder()
            .trustedProxies(List.of("10.0.0.0/8", "fd00::/8"))
            .build();

    @Test
    void knowsItsWords() {
        TestRequest request = TestRequest.of("POST", "/orders/7")
                .header("X-API-Key", "k1")
                .header("X-Tenant", "acme")
                .header("Authorization", "bearer  t0ken ")
                .as("alice")
                .on("/orders/{id}");
        StandardSubjects subjects = StandardSubjects.builder()
                .custom(Map.of(
                        "tenant", view -> Subject.of(view.headers("X-Tenant").get(0))))
                .build();

        assertThat(key(subjects, request, "api-key")).isEqualTo("header/x-api-key:k1");
        assertThat(key(subjects, request, "header:X-API-KEY")).isEqualTo("header/x-api-key:k1");
        assertThat(key(subjects, request, "bearer")).isEqualTo("bearer:t0ken");
        assertThat(key(subjects, request, "principal")).isEqualTo("principal:alice");
        assertThat(key(subjects, request, "global")).isEqualTo("global:*");
        assertThat(key(subjects, request, "tenant")).isEqualTo("custom/tenant:acme");
        assertThat(key(subjects, request, "route")).as("Known bug H8").isEqualTo("route:POST /orders/{id}");
        assertThat(key(subjects, TestRequest.get("/orders/7"), "route")).isEqualTo("ip:192.0.2.1");
    }

    @Test
    void takesNamesOfClassesForResolvers() {
        for (String name : List.of("com.acme.Tenants", "com.acme.Subjects$Tenant", "com.acme.Subjects$Tenant#0")) {
            StandardSubjects subjects = StandardSubjects.builder()
                    .custom(Map.of(name, view -> Subject.of("acme")))
                    .build();

            assertThat(key(subjects, TestRequest.get("/"), name)).isEqualTo("custom/" + name + ":acme");
        }
    }

    /** Whoever asks about somebody asks for the key that requests have. */
    @Test
    void namesSomebodyAsARequestWould() {
        StandardSubjects subjects = StandardSubjects.builder()
                .custom(Map.of(
                        "tenant", view -> Subject.of(view.headers("X-Tenant").get(0))))
                .v6Prefix(56)
                .build();
        TestRequest request = TestRequest.get("/orders/7")
                .header("X-API-Key", " k1 ")
                .header("X-Tenant", "acme")
                .header("Authorization", "Bearer t0ken")
                .as("alice")
                .on("/orders/{id}");
        Map<String, String> values = Map.of(
                "api-key", "k1",
                "header:X-Tenant", "acme",
                "bearer", " t0ken",
                "principal", "alice",
                "route", "GET /orders/{id}",
                "global", "anybody",
                "tenant", "acme");
        values.forEach((word, value) ->
                assertThat(subjects.named(word, value).text()).isEqualTo(key(subjects, request, word)));
        for (String address : List.of(
                "203.0.113.7",
                "::ffff:203.0.113.7",
                "2001:db8:0:12ff::1",
                "[2001:DB8:0:1234::1]:443",
                "::1",
                "fe80::1%eth0")) {
            assertThat(subjects.named("ip", address).text())
                    .isEqualTo(key(subjects, TestRequest.get("/").from(address), "ip"));
        }
    }

    @Test
    void namesSomebodyByTheKindOfSubject() {
        for (String kind : List.of("header/x-tenant", "custom/tenant/gold", "together")) {
            assertThat(direct.named(kind, "acme").text()).isEqualTo(kind + ":acme");
        }
        assertThat(direct.named("unknown", "anybody").text()).isEqualTo("unknown:*");
        String network = direct.named("ip", "2001:db8::1").value();
        assertThat(direct.named("ip", network).value()).isEqualTo(network);
    }

    @Test
    void findsThoseWhomTheWordsOfARuleLeadTo() {
        StandardSubjects subjects = StandardSubjects.builder()
                .custom(Map.of("tenant", view -> Subject.absent()))
                .build();
        Map<String, String> found = Map.of(
                "ip", "ip unknown",
                "api-key", "header/x-api-key ip unknown",
                "tenant", "custom/tenant custom/tenant/gold ip unknown",
                "principal + route", "ip unknown",
                "ip + route", "unknown",
                "route", "route unknown",
                "global", "global unknown");
        found.forEach((word, kinds) -> {
            for (String kind : List.of(
                    "ip",
                    "header/x-api-key",
                    "header/x-api-key/gold",
                    "custom/tenant",
                    "custom/tenant/gold",
                    "custom/tenants",
                    "principal",
                    "route",
                    "global",
                    "together",
                    "unknown")) {
                Subject.Present somebody = new Subject.Present(kind, "*");
                List<String> all = List.of(kinds.split(" "));
                assertThat(subjects.finds(somebody, List.of(word), Rule.Missing.FALL_BACK))
                        .as(word + " " + kind)
                        .isEqualTo(all.contains(kind));
                assertThat(subjects.finds(somebody, List.of(word), Rule.Missing.DENY))
                        .as(word + " " + kind)
                        .isEqualTo(all.contains(kind)
                                && !kind.equals("unknown")
                                && (!kind.equals("ip") || word.equals("ip")));
            }
        });
    }

    @Test
    void namesNobodyWhoCannotBe() {
        for (String value : List.of("", "s3cret", "10.0.0.0/8", "2001:db8::/32", "host.example")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> direct.named("ip", value))
                    .withMessage("the value of subject 'ip' must be one address such as 203.0.113.7 or 2001:db8::1");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.named("moon", "s3cret"))
                .withMessageStartingWith("subject 'moon' is not known; there are [api-key, ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.named("principal + route", "s3cret"))
                .withMessage(
                        "subject 'principal + route' is a combination; only a single subject such as ip can be named by its value");
        assertThatIllegalArgumentException().isThrownBy(() -> direct.named("api-key", " "));
    }

    @Test
    void namesTheWordsThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.resolver(List.of("ip", "moon"), Rule.Missing.FALL_BACK))
                .withMessage("subject 'moon' is not known; there are "
                        + "[api-key, bearer, global, header:NAME, ip, principal, route]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.resolver(List.of("header:a b"), Rule.Missing.FALL_BACK))
                .withMessage(
                        "subject 'header:a b' does not name a valid header; write header:NAME, such as header:X-Tenant");
        assertThatIllegalArgumentException().isThrownBy(() -> direct.resolver(List.of("ip +"), Rule.Missing.SKIP));
        assertThatIllegalArgumentException().isThrownBy(() -> direct.resolver(List.of(), Rule.Missing.SKIP));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StandardSubjects.builder()
                        .trustedProxies(List.of("proxy.local"))
                        .build())
                .withMessage(
                        "trusted proxy 'proxy.local' is not an address or a block of addresses, such as 10.0.0.0/8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StandardSubjects.builder().custom(Map.of("ip", view -> Subject.absent())));
    }

    @Test
    void namesEveryTrustedProxyThatIsNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StandardSubjects.builder()
                        .trustedProxies(List.of("10.0.0.0/33", "10.0.0.1", "proxy"))
                        .build())
                .withMessageContainingAll("'10.0.0.0/33'", "'proxy'");
    }

    @Test
    void knowsABlockOfEverybody() {
        for (String everybody : List.of("0.0.0.0/0", "::/0", "::ffff:0:0/96", "10.0.0.0/0")) {
            assertThat(StandardSubjects.isEverybody(everybody)).as(everybody).isTrue();
        }
        for (String some : List.of("10.0.0.0/8", "0.0.0.0/1", "2001:db8::/32", "0.0.0.0", "proxy")) {
            assertThat(StandardSubjects.isEverybody(some)).as(some).isFalse();
        }
    }

    /** MISSION A5: the API key, else the address. */
    @Test
    void takesTheFirstThatIsPresent() {
        TestRequest request = TestRequest.get("/").as("alice");

        assertThat(key(direct, request, "api-key", "principal")).isEqualTo("principal:alice");
        assertThat(key(direct, request.header("X-API-Key", "k"), "api-key", "principal"))
                .isEqualTo("header/x-api-key:k");
        assertThat(key(direct, TestRequest.get("/"), "api-key")).isEqualTo("ip:192.0.2.1");
    }

    /** Known bug H14: skipping or denying must be written. */
    @Test
    void findsNobodyIfSkipOrDenyIsWritten() {
        for (Rule.Missing missing : List.of(Rule.Missing.SKIP, Rule.Missing.DENY)) {
            assertThat(direct.resolver(List.of("api-key"), missing).resolve(TestRequest.get("/")))
                    .isSameAs(Subject.absent());
        }
    }

    /** Known bugs I12, H6: twice and different is nobody; blank is nobody; a megabyte is somebody with a short key. */
    @Test
    void isCarefulWithHeaders() {
        TestRequest twice = TestRequest.get("/").header("X-API-Key", "a").header("X-API-Key", "b");
        TestRequest same = TestRequest.get("/").header("X-API-Key", "a").header("X-API-Key", "a");
        TestRequest blank = TestRequest.get("/").header("X-API-Key", " \t ");
        TestRequest huge = TestRequest.get("/").header("X-API-Key", "k".repeat(1 << 20));
        TestRequest basic = TestRequest.get("/").header("Authorization", "Basic YWxpY2U=");

        assertThat(key(direct, twice, "api-key")).isEqualTo("ip:192.0.2.1");
        assertThat(key(direct, same, "api-key")).isEqualTo("header/x-api-key:a");
        assertThat(key(direct, blank, "api-key")).isEqualTo("ip:192.0.2.1");
        assertThat(key(direct, huge, "api-key")).startsWith("header/x-api-key;").hasSizeLessThan(100);
        assertThat(key(direct, basic, "bearer")).isEqualTo("ip:192.0.2.1");
    }

    /** Known bug I12: whoever contradicts himself is somebody else's subject or nobody's, but not the same as absent. */
    @Test
    void tellsContradictionFromAbsence() {
        TestRequest twice = TestRequest.get("/").header("X-API-Key", "a").header("X-API-Key", "b");

        for (String words : List.of("api-key", "ip + api-key", "own")) {
            StandardSubjects subjects = StandardSubjects.builder()
                    .custom(Map.of("own", view -> Subject.unclear()))
                    .build();
            assertThat(subjects.resolver(List.of(words), Rule.Missing.SKIP).resolve(twice))
                    .as(words)
                    .isSameAs(Subject.unclear());
        }
        assertThat(direct.resolver(List.of("api-key", "principal"), Rule.Missing.SKIP)
                        .resolve(twice))
                .isSameAs(Subject.unclear());
        assertThat(key(direct, twice.as("alice"), "api-key", "principal")).isEqualTo("principal:alice");
    }

    /** Known bugs H8, M01, M03: a handler for any method has one budget for all that a client makes up, and HEAD is a GET. */
    @Test
    void makesUpNoRoutes() {
        String get = key(direct, TestRequest.get("/any").on("/any"), "route");
        assertThat(get).isEqualTo("route:GET /any");
        assertThat(key(direct, TestRequest.of("HEAD", "/any").on("/any"), "route"))
                .isEqualTo(get);
        assertThat(key(direct, TestRequest.of("POST", "/any").on("/any"), "route"))
                .isEqualTo("route:POST /any");
        assertThat(key(direct, TestRequest.of("AAA", "/any").on("/any"), "route"))
                .isEqualTo(key(direct, TestRequest.of("AAB", "/any").on("/any"), "route"))
                .isNotEqualTo(get);
    }

    /** Known bugs C8, K06: what a client types is never mistaken for something else. */
    @Test
    void keepsKindsApart() {
        TestRequest forged = TestRequest.get("/").header("X-API-Key", "ip:192.0.2.1");

        assertThat(key(direct, forged, "api-key")).isNotEqualTo(key(direct, TestRequest.get("/"), "api-key"));
        assertThat(key(direct, TestRequest.get("/").header("X-API-Key", "alice"), "api-key"))
                .isNotEqualTo(key(direct, TestRequest.get("/").as("alice"), "principal"));
    }

    /** Known bugs C9, K04: tuples that would be the same when joined are not. */
    @Test
    void keepsThePartsOfATupleApart() {
        assertThat(tuple("a.b", "c")).isNotEqualTo(tuple("a", "b.c"));
        assertThat(tuple("vheader/x-b:v", "v")).isNotEqualTo(tuple("v", "vheader/x-b:v"));
        Random random = Seeds.random(getClass());
        String[] pieces = {"a", ":", ";", "1", "2:", "header/x-a:", "+", "x".repeat(70)};
        Map<String, List<String>> seen = new HashMap<>();
        for (int round = 0; round < Seeds.rounds(10_000); round++) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                StringBuilder value = new StringBuilder("v");
                for (int n = random.nextInt(4); n > 0; n--) {
                    value.append(pieces[random.nextInt(pieces.length)]);
                }
                values.add(value.toString());
            }
            List<String> known = seen.put(tuple(values.get(0), values.get(1)), values);
            assertThat(known == null || known.equals(values)).isTrue();
        }
    }

    @Test
    void countsATupleWithAMissingPartAsMissing() {
        assertThat(key(direct, TestRequest.get("/").as("alice"), "principal + api-key"))
                .isEqualTo("ip:192.0.2.1");
    }

    @Test
    void leavesAloneWhoIsNeverLimited() {
        Bypass bypass = proxied.bypass(List.of("192.168.0.0/16", "2001:db8::/32", "admin"), List.of("principal"));
        Subject.Present alice = new Subject.Present("principal", "alice");
        Subject.Present admin = new Subject.Present("principal", "admin");

        assertThat(bypass.bypasses(TestRequest.get("/"), alice)).isFalse();
        assertThat(bypass.bypasses(TestRequest.get("/"), admin)).isTrue();
        assertThat(bypass.bypasses(TestRequest.get("/").from("192.168.3.4"), alice))
                .isTrue();
        assertThat(bypass.bypasses(behind("192.168.3.4"), alice)).isTrue();
        assertThat(bypass.bypasses(TestRequest.get("/").header("X-Forwarded-For", "192.168.3.4"), alice))
                .as("nobody claims an address")
                .isFalse();
        assertThat(bypass.bypasses(TestRequest.get("/").from(null), alice)).isFalse();
    }

    /** Whoever has no subject is not somebody who happens to be called like that. */
    @Test
    void bypassesNobodyByWhatTheyFellBackTo() {
        Bypass bypass = direct.bypass(List.of("*"), List.of("principal"));

        assertThat(bypass.bypasses(TestRequest.get("/"), new Subject.Present("unknown", "*")))
                .isFalse();
        assertThat(bypass.bypasses(TestRequest.get("/"), new Subject.Present("principal", "*")))
                .isTrue();
    }

    /** A user who is never limited must not be a header away. */
    @Test
    void rejectsABypassByAValueThatCouldBeAnything() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.bypass(List.of("admin"), List.of("principal", "api-key")))
                .withMessage(
                        "bypass 'admin' is not an address, and other values are allowed only in a rule with one subject, "
                                + "not [principal, api-key]");
        assertThatIllegalArgumentException().isThrownBy(() -> direct.bypass(List.of("10.0.0.0/99"), List.of("ip")));
    }

    /** It would be taken for a value that no request ever has. */
    @Test
    void rejectsABypassByWhatIsMeantForAnAddress() {
        for (String typo : List.of("10.0.0/8", "localhost", "10.0.0.256")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> direct.bypass(List.of(typo), List.of("ip")))
                    .withMessage(
                            "bypass '" + typo + "' is neither an address nor a block of addresses such as 10.0.0.0/8; "
                                    + "the subject [ip] has no other values");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> direct.bypass(List.of("*"), List.of("global")));
    }

    /** Known bug H6. */
    @Test
    void knowsWhatAClientCanMakeUp() {
        assertThat(direct.clientControlled(List.of("api-key"))).isTrue();
        assertThat(direct.clientControlled(List.of("principal + header:X-Tenant")))
                .isTrue();
        assertThat(direct.clientControlled(List.of("principal", "bearer"))).isTrue();
        assertThat(direct.clientControlled(List.of("ip", "principal + route"))).isFalse();
    }

    @Test
    void knowsWhatMayAskForTheUser() {
        StandardSubjects own = StandardSubjects.builder()
                .custom(Map.of("tenant", view -> Subject.absent()))
                .build();

        assertThat(own.needPrincipal(List.of("principal"))).isTrue();
        assertThat(own.needPrincipal(List.of("api-key", "ip + principal"))).isTrue();
        assertThat(own.needPrincipal(List.of("route + tenant"))).isTrue();
        assertThat(own.needPrincipal(List.of("ip", "api-key", "header:principal + route", "bearer", "global")))
                .isFalse();
        assertThat(direct.needPrincipal(List.of())).isFalse();
    }

    private String tuple(String one, String other) {
        return key(direct, TestRequest.get("/").header("X-A", one).header("X-B", other), "header:X-A + header:X-B");
    }

    private static TestRequest behind(String header) {
        return TestRequest.get("/").from("10.0.0.1").header("X-Forwarded-For", header);
    }

    private static String key(StandardSubjects subjects, RequestView request, String... words) {
        SubjectResolver resolver = subjects.resolver(List.of(words), Rule.Missing.FALL_BACK);
        return ((Subject.Present) resolver.resolve(request)).text();
    }
}
