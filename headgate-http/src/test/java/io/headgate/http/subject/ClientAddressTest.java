package io.headgate.http.subject;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.TestRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Known bugs I01 to I12: who a request comes from, as far as proxies that are trusted tell. */
class ClientAddressTest {

    private static final String CLIENT = "203.0.113.7";

    private final StandardSubjects direct = StandardSubjects.builder().build();
    private final StandardSubjects proxied = StandardSubjects.builder()
            .trustedProxies(List.of("10.0.0.0/8", "fd00::/8"))
            .build();
    private final StandardSubjects rfc7239 = StandardSubjects.builder()
            .trustedProxies(List.of("10.0.0.0/8"))
            .forwardedHeader("Forwarded")
            .build();

    /** Known bugs I01, H1, H2: nobody is trusted unless said, and then nobody else. */
    @Test
    void ignoresAForwardedHeaderFromAnUntrustedPeer() {
        TestRequest spoofed = TestRequest.get("/").from(CLIENT).header("X-Forwarded-For", "1.2.3.4");

        assertThat(ip(direct, spoofed)).isEqualTo("ip:" + CLIENT);
        assertThat(ip(proxied, spoofed)).isEqualTo("ip:" + CLIENT);
    }

    /** Known bugs I02, H1: what a client put in front of the proxy's word is its invention. */
    @Test
    void takesTheRightmostHopThatIsNotTrusted() {
        assertThat(ip(proxied, behind("1.2.3.4, " + CLIENT))).isEqualTo("ip:" + CLIENT);
        assertThat(ip(proxied, behind("1.2.3.4, " + CLIENT + ", 10.0.0.2, fd00::7")))
                .isEqualTo("ip:" + CLIENT);
        assertThat(ip(proxied, behind("10.0.0.9, " + CLIENT))).isEqualTo("ip:" + CLIENT);
    }

    /** Known bug I03: several lines are one list. */
    @Test
    void readsSeveralLinesAsOne() {
        TestRequest request = TestRequest.get("/")
                .from("10.0.0.1")
                .header("X-Forwarded-For", "1.2.3.4, " + CLIENT)
                .header("X-Forwarded-For", "10.0.0.2");

        assertThat(ip(proxied, request)).isEqualTo("ip:" + CLIENT);
    }

    /** Known bugs I04, I05: one header counts, the configured one. */
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

    /** Known bug I06: what proxies and clients write. */
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

    /** Known bug I06: ten thousand entries and 64 KiB are answered after a few, whoever wrote them. */
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

    /** Known bugs I07, I08, H3, H4, H5: one client is one key. */
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

    /** Known bug I09: then the first of them is as far as anybody knows. */
    @Test
    void takesTheLeftmostHopIfAllAreTrusted() {
        assertThat(ip(proxied, behind("10.0.0.9, 10.0.0.8"))).isEqualTo("ip:10.0.0.9");
        assertThat(ip(proxied, TestRequest.get("/").from("10.0.0.1"))).isEqualTo("ip:10.0.0.1");
    }

    /** Known bug I10: where the framework has resolved the client already, the peer is the client. */
    @Test
    void takesThePeerAsTheClientWhereTheFrameworkHasResolvedIt() {
        TestRequest resolved = TestRequest.get("/").from(CLIENT).header("X-Forwarded-For", CLIENT + ", 10.0.0.1");

        assertThat(ip(direct, resolved)).isEqualTo("ip:" + CLIENT);
        assertThat(ip(proxied, resolved)).isEqualTo("ip:" + CLIENT);
    }

    /** Known bugs I11, H14: without an address everybody shares one budget, and nothing a client sends is that budget. */
    @ParameterizedTest
    @ValueSource(strings = {"", "unknown", "localhost", "/var/run/socket"})
    void sharesOneBudgetWithoutAnAddress(String peer) {
        TestRequest request = TestRequest.get("/").from(peer).header("X-Forwarded-For", "1.2.3.4");

        assertThat(ip(proxied, request)).isEqualTo("unknown:*");
        assertThat(ip(proxied, TestRequest.get("/").from(null))).isEqualTo("unknown:*");
        assertThat(key(direct, TestRequest.get("/").header("X-API-Key", "*"), "api-key"))
                .isEqualTo("header/x-api-key:*");
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
