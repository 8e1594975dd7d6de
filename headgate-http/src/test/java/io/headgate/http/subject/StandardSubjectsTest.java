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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandardSubjectsTest {

    private static final String CLIENT = "203.0.113.7";

    private final StandardSubjects direct = StandardSubjects.builder().build();
    private final StandardSubjects proxied = StandardSubjects.builder()
            .trustedProxies(List.of("10.0.0.0/8", "fd00::/8"))
            .build();
    private final StandardSubjects rfc7239 = StandardSubjects.builder()
            .trustedProxies(List.of("10.0.0.0/8"))
            .forwardedHeader("Forwarded")
            .build();

    /** CATALOGUE I01, H1, H2: nobody is trusted unless said, and then nobody else. */
    @Test
    void ignoresAForwardedHeaderFromAnUntrustedPeer() {
        TestRequest spoofed = TestRequest.get("/").from(CLIENT).header("X-Forwarded-For", "1.2.3.4");

        assertThat(ip(direct, spoofed)).isEqualTo("ip:" + CLIENT);
        assertThat(ip(proxied, spoofed)).isEqualTo("ip:" + CLIENT);
    }

    /** CATALOGUE I02, H1: what a client put in front of the proxy's word is its invention. */
    @Test
    void takesTheRightmostHopThatIsNotTrusted() {
        assertThat(ip(proxied, behind("1.2.3.4, " + CLIENT))).isEqualTo("ip:" + CLIENT);
        assertThat(ip(proxied, behind("1.2.3.4, " + CLIENT + ", 10.0.0.2, fd00::7")))
                .isEqualTo("ip:" + CLIENT);
        assertThat(ip(proxied, behind("10.0.0.9, " + CLIENT))).isEqualTo("ip:" + CLIENT);
    }

    /** CATALOGUE I03: several lines are one list. */
    @Test
    void readsSeveralLinesAsOne() {
        TestRequest request = TestRequest.get("/")
                .from("10.0.0.1")
                .header("X-Forwarded-For", "1.2.3.4, " + CLIENT)
                .header("X-Forwarded-For", "10.0.0.2");

        assertThat(ip(proxied, request)).isEqualTo("ip:" + CLIENT);
    }

    /** CATALOGUE I04, I05: one header counts, the configured one. */
    @Test
    void looksAtNoOtherHeader() {
        TestRequest request = TestRequest.get("/")
                .from("10.0.0.1")
                .header("X-Forwarded-For", "198.51.100.1")
                .header("Forwarded", "for=198.51.100.2")
                .header("X-Real-IP", "198.51.100.3")
                .header("X-Client-IP", "198.51.100.3")
                .header("True-Client-IP", "198.51.100.3");

        assertThat(ip(proxied, request)).isEqualTo("ip:198.51.100.1");
        assertThat(ip(rfc7239, request)).isEqualTo("ip:198.51.100.2");
        assertThat(ip(direct, request)).isEqualTo("ip:10.0.0.1");
    }

    /** CATALOGUE I06: what proxies and clients write. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.2.3.4, 203.0.113.7:4711        | ip:203.0.113.7",
                "1.2.3.4,203.0.113.7 ,, ,         | ip:203.0.113.7",
                "[2001:db8::1]:80                 | ip:2001:db8:0:0::/64",
                "2001:db8::1                      | ip:2001:db8:0:0::/64",
                "::ffff:203.0.113.7               | ip:203.0.113.7",
                "203.0.113.7, unknown             | ip:10.0.0.1",
                "203.0.113.7, example.com, 10.0.0.2 | ip:10.0.0.2",
                "203.0.113.7, 999.1.1.1           | ip:10.0.0.1",
                ",,,                              | ip:10.0.0.1",
            })
    void readsWhatProxiesWrite(String header, String expected) {
        assertThat(ip(proxied, behind(header))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "for=203.0.113.7                                       | ip:203.0.113.7",
                "For=\"203.0.113.7:80\";proto=https;by=10.0.0.1        | ip:203.0.113.7",
                "proto=https; for=\"[2001:db8::1]:4711\"               | ip:2001:db8:0:0::/64",
                "for=1.2.3.4, for=203.0.113.7;by=\"a,b\", for=10.0.0.2 | ip:203.0.113.7",
                "for=\"x, for=203.0.113.7                              | ip:203.0.113.7",
                "for=203.0.113.7, for=unknown                          | ip:10.0.0.1",
                "for=203.0.113.7, for=_secret                          | ip:10.0.0.1",
                "for=203.0.113.7, proto=http                           | ip:10.0.0.1",
                "for=1.2.3.4;for=203.0.113.7                           | ip:10.0.0.1",
                "203.0.113.7                                           | ip:10.0.0.1",
                "for=                                                  | ip:10.0.0.1",
            })
    void readsForwardedOfRfc7239(String header, String expected) {
        TestRequest request = TestRequest.get("/").from("10.0.0.1").header("Forwarded", header);

        assertThat(ip(rfc7239, request)).isEqualTo(expected);
    }

    /** CATALOGUE I06: ten thousand entries and 64 KiB are answered after a few, whoever wrote them. */
    @Test
    void doesNotReadOnAndOn() {
        CountedReads reads = new CountedReads();
        String trusted = "10.0.0.3, ".repeat(10_000);
        assertThat(ip(proxied, reads.behind("1.2.3.4, " + trusted))).isEqualTo("ip:10.0.0.3");
        assertThat(ip(proxied, behind("x".repeat(65_536)))).isEqualTo("ip:10.0.0.1");
        assertThat(ip(proxied, behind("\"".repeat(65_536)))).isEqualTo("ip:10.0.0.1");
        assertThat(ip(proxied, behind(",".repeat(65_536)))).isEqualTo("ip:10.0.0.1");
        assertThat(ip(proxied, behind(CLIENT + ",".repeat(65_536)))).isEqualTo("ip:10.0.0.1");
        assertThat(ip(proxied, behind(" ".repeat(65_536) + CLIENT))).isEqualTo("ip:" + CLIENT);
        assertThat(reads.lines).as("header lines read").isEqualTo(1);

        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            lines.add("10.0.0.4");
        }
        assertThat(ip(proxied, reads.behind(lines.toArray(String[]::new)))).isEqualTo("ip:10.0.0.4");
        assertThat(reads.lines).as("header lines read").isLessThan(2 * ClientAddress.MOST_HOPS);
    }

    /** CATALOGUE I07, I08, H3, H4, H5: one client is one key. */
    @Test
    void countsOneClientOnce() {
        assertThat(ip(direct, TestRequest.get("/").from("::ffff:" + CLIENT)))
                .isEqualTo(ip(direct, TestRequest.get("/").from(CLIENT)));
        assertThat(ip(direct, TestRequest.get("/").from("::ffff:198.51.100.1")))
                .as("IPv4 clients do not share a mapped network")
                .isNotEqualTo(ip(direct, TestRequest.get("/").from("::ffff:198.51.100.2")));
        assertThat(ip(direct, TestRequest.get("/").from("2001:db8:0:7::1")))
                .isEqualTo(ip(direct, TestRequest.get("/").from("2001:0DB8:0:7:ffff:1:2:3%eth0")))
                .isNotEqualTo(ip(direct, TestRequest.get("/").from("2001:db8:0:8::1")));
    }

    /** CATALOGUE I09: then the first of them is as far as anybody knows. */
    @Test
    void takesTheLeftmostHopIfAllAreTrusted() {
        assertThat(ip(proxied, behind("10.0.0.9, 10.0.0.8"))).isEqualTo("ip:10.0.0.9");
        assertThat(ip(proxied, TestRequest.get("/").from("10.0.0.1"))).isEqualTo("ip:10.0.0.1");
    }

    /** CATALOGUE I10: where the framework has resolved the client already, the peer is the client. */
    @Test
    void takesThePeerAsTheClientWhereTheFrameworkHasResolvedIt() {
        TestRequest resolved = TestRequest.get("/").from(CLIENT).header("X-Forwarded-For", CLIENT + ", 10.0.0.1");

        assertThat(ip(direct, resolved)).isEqualTo("ip:" + CLIENT);
        assertThat(ip(proxied, resolved)).isEqualTo("ip:" + CLIENT);
    }

    /** CATALOGUE I11, H14: without an address everybody shares one budget, and nothing a client sends is that budget. */
    @ParameterizedTest
    @ValueSource(strings = {"", "unknown", "localhost", "/var/run/socket"})
    void sharesOneBudgetWithoutAnAddress(String peer) {
        TestRequest request = TestRequest.get("/").from(peer).header("X-Forwarded-For", "1.2.3.4");

        assertThat(ip(proxied, request)).isEqualTo("unknown:*");
        assertThat(ip(proxied, TestRequest.get("/").from(null))).isEqualTo("unknown:*");
        assertThat(key(direct, TestRequest.get("/").header("X-API-Key", "*"), "api-key"))
                .isEqualTo("header/x-api-key:*");
    }

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
        assertThat(key(subjects, request, "route")).as("CATALOGUE H8").isEqualTo("route:POST /orders/{id}");
        assertThat(key(subjects, TestRequest.get("/orders/7"), "route")).isEqualTo("ip:192.0.2.1");
    }

    @Test
    void namesTheWordsThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.resolver(List.of("ip", "moon"), Rule.Missing.FALL_BACK))
                .withMessage("subject 'moon' is not known; there are "
                        + "[api-key, bearer, global, header:NAME, ip, principal, route]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.resolver(List.of("header:a b"), Rule.Missing.FALL_BACK))
                .withMessage("subject 'header:a b' does not name a header");
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

    /** MISSION A5: the API key, else the address. */
    @Test
    void takesTheFirstThatIsPresent() {
        TestRequest request = TestRequest.get("/").as("alice");

        assertThat(key(direct, request, "api-key", "principal")).isEqualTo("principal:alice");
        assertThat(key(direct, request.header("X-API-Key", "k"), "api-key", "principal"))
                .isEqualTo("header/x-api-key:k");
        assertThat(key(direct, TestRequest.get("/"), "api-key")).isEqualTo("ip:192.0.2.1");
    }

    /** CATALOGUE H14: skipping or refusing must be written. */
    @Test
    void findsNobodyIfSkipOrDenyIsWritten() {
        for (Rule.Missing missing : List.of(Rule.Missing.SKIP, Rule.Missing.DENY)) {
            assertThat(direct.resolver(List.of("api-key"), missing).resolve(TestRequest.get("/")))
                    .isSameAs(Subject.absent());
        }
    }

    /** CATALOGUE I12, H6: twice and different is nobody; blank is nobody; a megabyte is somebody with a short key. */
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

    /** CATALOGUE C8, K06: what a client types is never mistaken for something else. */
    @Test
    void keepsKindsApart() {
        TestRequest forged = TestRequest.get("/").header("X-API-Key", "ip:192.0.2.1");

        assertThat(key(direct, forged, "api-key")).isNotEqualTo(key(direct, TestRequest.get("/"), "api-key"));
        assertThat(key(direct, TestRequest.get("/").header("X-API-Key", "alice"), "api-key"))
                .isNotEqualTo(key(direct, TestRequest.get("/").as("alice"), "principal"));
    }

    /** CATALOGUE C9, K04: tuples that would be the same when joined are not. */
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
    void refusesToBypassByAValueThatCouldBeAnything() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.bypass(List.of("admin"), List.of("principal", "api-key")))
                .withMessage(
                        "bypass 'admin' is not an address, and a subject by its value needs a rule with one subject, "
                                + "not [principal, api-key]");
        assertThatIllegalArgumentException().isThrownBy(() -> direct.bypass(List.of("10.0.0.0/99"), List.of("ip")));
    }

    /** CATALOGUE H6. */
    @Test
    void knowsWhatAClientCanMakeUp() {
        assertThat(direct.madeUpAtWill(List.of("api-key"))).isTrue();
        assertThat(direct.madeUpAtWill(List.of("principal + header:X-Tenant"))).isTrue();
        assertThat(direct.madeUpAtWill(List.of("principal", "bearer"))).isTrue();
        assertThat(direct.madeUpAtWill(List.of("ip", "principal + route"))).isFalse();
    }

    private String tuple(String one, String other) {
        return key(direct, TestRequest.get("/").header("X-A", one).header("X-B", other), "header:X-A + header:X-B");
    }

    private static TestRequest behind(String header) {
        return TestRequest.get("/").from("10.0.0.1").header("X-Forwarded-For", header);
    }

    private static String ip(StandardSubjects subjects, RequestView request) {
        return key(subjects, request, "ip");
    }

    private static String key(StandardSubjects subjects, RequestView request, String... words) {
        SubjectResolver resolver = subjects.resolver(List.of(words), Rule.Missing.FALL_BACK);
        return ((Subject.Present) resolver.resolve(request)).text();
    }

    /** Counts how many header lines are looked at. */
    private static final class CountedReads {

        private int lines;

        RequestView behind(String... values) {
            List<String> counted = new java.util.AbstractList<>() {
                @Override
                public String get(int index) {
                    lines++;
                    return values[index];
                }

                @Override
                public int size() {
                    return values.length;
                }
            };
            TestRequest request = TestRequest.get("/").from("10.0.0.1");
            return new RequestView() {
                @Override
                public String method() {
                    return request.method();
                }

                @Override
                public String path() {
                    return request.path();
                }

                @Override
                public List<String> headers(String name) {
                    return counted;
                }

                @Override
                public String peerAddress() {
                    return request.peerAddress();
                }

                @Override
                public String principal() {
                    return request.principal();
                }

                @Override
                public String route() {
                    return request.route();
                }
            };
        }
    }
}
