package io.headgate.http.subject;

import io.headgate.http.RequestView;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of the client: that of the peer, unless the peer is a trusted proxy; then the rightmost hop of one
 * configured header that is not.
 *
 * <p>Every proxy appends the address it was called from, so the right end was written by machines we trust, and everything
 * to the left of the first stranger may be the stranger's invention. The header is therefore read from right to left and never
 * further than that. A hop that is no address ("unknown", a host name, junk) ends the walk: the proxy that passed it on is as
 * far as anybody knows. If every hop is trusted the leftmost counts. At most {@value #MOST_HOPS} hops are looked at, so the
 * work does not grow with what a client sends.
 */
final class ClientAddress {

    private static final System.Logger LOG = System.getLogger(ClientAddress.class.getName());

    static final int MOST_HOPS = 64;

    private final TrustedProxies proxies;
    private final String header;
    private final boolean rfc7239;
    private final AtomicBoolean warned = new AtomicBoolean();

    ClientAddress(TrustedProxies proxies, String header) {
        this.proxies = proxies;
        this.header = header;
        this.rfc7239 = header.equalsIgnoreCase("Forwarded");
    }

    /** The address; {@code null} if the peer has none that is known. */
    @Nullable
    Address of(RequestView request) {
        Address peer = peer(request);
        return peer == null ? null : client(peer, request);
    }

    /** The text of the address, IPv6 as the network of so many bits. */
    @Nullable
    String text(RequestView request, int v6Prefix) {
        String literal = request.peerAddress();
        if (literal == null) {
            return null;
        }
        if (proxies.none() && Address.isPlain(literal)) {
            warnOnce(request);
            return literal;
        }
        Address peer = Address.parse(literal);
        return peer == null ? null : client(peer, request).text(v6Prefix);
    }

    private static @Nullable Address peer(RequestView request) {
        String literal = request.peerAddress();
        return literal == null ? null : Address.parse(literal);
    }

    private Address client(Address peer, RequestView request) {
        if (proxies.none()) {
            warnOnce(request);
            return peer;
        }
        return proxies.trusts(peer) ? behind(peer, request.headers(header)) : peer;
    }

    private Address behind(Address proxy, List<String> lines) {
        Address nearest = proxy;
        int hops = 0;
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i);
            int end = line.length();
            while (end >= 0) {
                if (hops++ == MOST_HOPS) {
                    return nearest;
                }
                int start = start(line, end);
                if (!blank(line, start, end)) {
                    Address hop = rfc7239 ? Forwarded.address(line, start, end) : Address.parse(line, start, end);
                    if (hop == null) {
                        return nearest;
                    }
                    nearest = hop;
                    if (!proxies.trusts(hop)) {
                        return hop;
                    }
                }
                end = start - 1;
            }
        }
        return nearest;
    }

    /** Where the element that ends here begins: after a comma that is not in quotes. */
    private static int start(String line, int end) {
        boolean quoted = false;
        for (int i = end - 1; i >= 0; i--) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i + 1;
            }
        }
        return 0;
    }

    private static boolean blank(String line, int start, int end) {
        for (int i = start; i < end; i++) {
            if (line.charAt(i) != ' ' && line.charAt(i) != '\t') {
                return false;
            }
        }
        return true;
    }

    /** Somebody's proxy says who the client is and nobody has said whom to believe: likely everyone shares one address. */
    private void warnOnce(RequestView request) {
        if (!warned.get() && !request.headers(header).isEmpty() && warned.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a request came with " + header + ", which is ignored because no proxy is trusted; "
                            + "if there is one in front, name its address as a trusted proxy");
        }
    }
}
