package io.headgate.http.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headgate.http.Seeds;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

    /** Known bugs I06, I07, H3, H4: one address has one form, however it is written. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.1",
                "192.000.002.001",
                " 192.0.2.1\t",
                "192.0.2.1:4711",
                "192.0.2.1:_hidden",
                "\"192.0.2.1\"",
                "\"192.0.2.1:80\"",
                "::ffff:192.0.2.1",
                "::FFFF:192.0.2.1",
                "::ffff:c000:201",
                "0:0:0:0:0:ffff:c000:0201",
                "0000:0000:0000:0000:0000:FFFF:192.0.2.1",
                "[::ffff:192.0.2.1]",
                "[::ffff:192.0.2.1]:80",
                "::ffff:192.0.2.1%eth0",
            })
    void readsEveryFormOfAnIPv4Address(String text) {
        assertThat(text(text)).isEqualTo("192.0.2.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2001:db8::1:2",
                "2001:DB8::1:2",
                "2001:0db8:0000:0000:0000:0000:0001:0002",
                "2001:db8:0:0:0:0:1:2",
                "[2001:db8::1:2]",
                "\"[2001:db8::1:2]:4711\"",
                "2001:db8::1:2%eth0",
                "[2001:db8::1:2%25eth0]:80",
                "2001:db8::ffff:ffff", // the same /64
            })
    void readsEveryFormOfAnIPv6Address(String text) {
        assertThat(text(text)).isEqualTo("2001:db8:0:0::/64");
    }

    /** Known bug I06: host names, junk and near misses are no addresses. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\"\"",
                "unknown",
                "_hidden",
                "localhost",
                "example.com",
                "a.b.c.d",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.0004",
                "1..2.3",
                "1.2.3.4.",
                "-1.2.3.4",
                "1.2.3.4:",
                "1.2.3.4:http",
                "1.2.3.4:123456",
                "1.2.3.4 5",
                "2130706433",
                "0x7f.1",
                ":",
                "::1::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7::8",
                "12345::",
                "g::",
                ":1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:",
                "::1.2.3.4:5",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "[::1",
                "[::1]80",
                "[1.2.3.4]",
                "[]",
                "\u0661.2.3.4",
                "::\uFF11",
            })
    void readsNothingElse(String text) {
        assertThat(Address.parse(text)).isNull();
    }

    @Test
    void readsWhatJavaReads() throws UnknownHostException {
        Random random = Seeds.random(getClass());
        for (int round = 0; round < Seeds.rounds(20_000); round++) {
            byte[] bytes = new byte[random.nextInt(3) == 0 ? 4 : 16];
            random.nextBytes(bytes);
            for (int i = 0; i < bytes.length - 1; i += 2) {
                if (random.nextInt(3) > 0) {
                    bytes[i] = 0;
                    bytes[i + 1] = random.nextBoolean() ? 0 : bytes[i + 1];
                }
            }
            if (bytes.length == 16 && random.nextInt(5) == 0) {
                System.arraycopy(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1}, 0, bytes, 0, 12);
            }
            InetAddress java = InetAddress.getByAddress(bytes);
            String literal = shorten(random, java.getHostAddress());
            Address address = Address.parse(literal);

            assertThat(address).as(literal).isNotNull();
            byte[] same = java.getAddress();
            long low = 0;
            for (int i = Math.max(0, same.length - 8); i < same.length; i++) {
                low = (low << 8) | (same[i] & 255);
            }
            assertThat(address.low() & (same.length == 4 ? 0xffff_ffffL : -1))
                    .as(literal)
                    .isEqualTo(low);
            assertThat(address.v4()).as(literal).isEqualTo(same.length == 4);
            assertThat(InetAddress.getByName(address.text(128).replaceAll("/128$", "")))
                    .isEqualTo(java);
        }
    }

    /** Whatever it is given, it answers. */
    @Test
    void neverThrows() {
        Random random = Seeds.random(getClass());
        String alphabet = "0123456789abcdfF:::...[]\"% \t,;=_/xz\u0660\uD83D";
        for (int round = 0; round < Seeds.rounds(100_000); round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(25); i > 0; i--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Address address = Address.parse(text.toString());
            assertThat(address == null || !address.text(64).isEmpty()).isTrue();
        }
    }

    /** A literal that is the text of its IPv4 address is recognised, and no other is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.2.3.4",
                "255.255.255.255",
                "10.20.30.40",
                "0.0.0.0",
                "01.2.3.4",
                "1.2.3.00",
                "256.2.3.4",
                "1.2.3",
                "1.2.3.4.",
                "1.2.3.4.5",
                "1..3.4",
                "",
                "1.2.3.4:8",
                "\"1.2.3.4\"",
                " 1.2.3.4",
                "::ffff:1.2.3.4",
                "::ffff:ffff:ffff",
                "::1",
                "[::ffff:1.2.3.4]"
            })
    void knowsItsOwnText(String literal) {
        Address address = Address.parse(literal);
        assertThat(Address.isPlain(literal))
                .isEqualTo(address != null && address.text(64).equals(literal));
    }

    /** Known bugs H5, I08: by its network; how much of it is configured. */
    @ParameterizedTest
    @CsvSource({
        "64, 2001:db8:1:2::/64",
        "56, 2001:db8:1:0::/56",
        "48, 2001:db8:1::/48",
        "128, 2001:db8:1:2:3:4:5:6/128",
    })
    void countsByTheNetwork(int prefix, String text) {
        assertThat(Address.parse("2001:db8:1:2:3:4:5:6").text(prefix)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.0.0.0/8, ::ffff:10.1.1.1, true",
        "::ffff:10.0.0.0/104, 10.1.1.1, true",
        "10.0.0.1, 10.0.0.1, true",
        "10.0.0.1, 10.0.0.2, false",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "fd00::/8, fdff::1, true",
        "::1, 0:0:0:0:0:0:0:1, true",
        "2001:db8::/63, 2001:db8:0:1::1, true",
        "2001:db8::/63, 2001:db8:0:2::1, false",
        "2001:db8::/65, 2001:db8::8000:0:0:0, false",
    })
    void knowsWhichBlockAnAddressIsIn(String block, String address, boolean in) {
        assertThat(Cidr.parse(block).contains(Address.parse(address))).isEqualTo(in);
    }

    @Test
    void rejectsABlockThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cidr.parse("10.0.0.0/33"))
                .withMessage(
                        "'10.0.0.0/33' is not a block of addresses: the prefix must be between 0 and 32, as in 10.0.0.0/8");
        assertThatIllegalArgumentException().isThrownBy(() -> Cidr.parse("::/129"));
        assertThatIllegalArgumentException().isThrownBy(() -> Cidr.parse("10.0.0.0/"));
        assertThatIllegalArgumentException().isThrownBy(() -> Cidr.parse("10.0.0.0/-1"));
        assertThat(Cidr.parse("localhost")).isNull();
    }

    private static String shorten(Random random, String literal) {
        String compressed = literal.replaceFirst("(^|:)0(:0)+(:|$)", "::");
        return random.nextBoolean() ? literal : compressed;
    }

    private static String text(String literal) {
        Address address = Address.parse(literal);
        assertThat(address).as(literal).isNotNull();
        return address.text(64);
    }
}
