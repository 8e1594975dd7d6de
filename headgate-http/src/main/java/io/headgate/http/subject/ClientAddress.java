package io.headgate.http.subject;

import io.headgate.http.RequestView;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of the client. It is the address of the peer, unless the peer is a trusted proxy; then it is the rightmost
 * hop in the configured header that is not a trusted proxy.
 *
 * <p>Every proxy appends the address it was called from. So the right end of the header was written by trusted proxies, and
 * everything to the left of the first untrusted hop may be forged by that hop. The header is therefore read from right to left and
 * never beyond the first untrusted hop. A hop that is not an address ("unknown", a host name, junk) ends the search: the result is
 * the proxy that passed it on, the last address known. If every hop is trusted, the leftmost one is the client. At most
 * {@value #MOST_HOPS} hops are read, so the work does not grow with what a client sends.
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

    /** The address of the client; {@code null} if the address of the peer is unknown. */
    @Nullable
    Address of(RequestView request) {
        Address peer = peer(request);
        return peer == null ? null : client(peer, request);
    }

    /** The text of the client address; for IPv6, of its network with that prefix length. {@code null} if it is unknown. */
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

    /** The start of the list element that ends at {@code end}: after a comma that is not in quotes. */
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

    /**
     * Warns of a request that carries the forwarded header while no proxy is configured as trusted: probably all clients share the
     * address of a proxy.
     */
    private void warnOnce(RequestView request) {
        if (!warned.get() && !request.headers(header).isEmpty() && warned.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a request has the header " + header + ", which is ignored because no proxy is trusted; "
                            + "if a proxy is in front of this application, add its address to the trusted proxies");
        }
    }
}
