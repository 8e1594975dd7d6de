package io.headgate.rig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy between a client and a server that fails on command.
 *
 * <p>Two daemon threads per connection copy bytes, one in each direction. A fault either lasts until {@link #pass} (refusing,
 * swallowing, delaying, cutting a share of the connections) or is armed once and consumed by the first connection it affects.
 */
public final class FaultProxy implements AutoCloseable {

    private static final int CHUNK = 64 * 1024;
    private static final int CUT = -1;
    private static final long UNLIMITED = Long.MAX_VALUE;

    private final int target;
    private final int port;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicLong allowance = new AtomicLong(UNLIMITED);

    private @Nullable Listening listener;
    private volatile boolean swallowing;
    private volatile long delayMicros;
    private volatile @Nullable String losing;
    private volatile double cutShare;
    private volatile Random random = new Random(0);

    private FaultProxy(int target) throws IOException {
        this.target = target;
        this.port = Ports.free(); // not a port that an outgoing connection can take while this proxy refuses
        this.listener = listen();
        Exit.closes(this);
    }

    /** Starts a proxy to a port on the loopback address. It passes everything until a fault is set. */
    public static FaultProxy to(int port) {
        try {
            return new FaultProxy(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a proxy to the server. */
    public static FaultProxy to(RedisServer server) {
        return to(server.port());
    }

    /** The port to which clients connect. */
    public int port() {
        return port;
    }

    /** How many connections the proxy has accepted so far. */
    public int accepted() {
        return accepted.get();
    }

    /** How many connections are open. */
    public int open() {
        return links.size();
    }

    /** How many replies the proxy has lost on command. */
    public int lost() {
        return lost.get();
    }

    /** Ends all faults. Cuts connections whose bytes were swallowed, because neither side could interpret the bytes that follow. */
    public synchronized void pass() {
        boolean resume = swallowing;
        losing = null;
        delayMicros = 0;
        cutShare = 0;
        allowance.set(UNLIMITED);
        swallowing = false;
        if (resume) {
            cut();
        }
        if (listener == null) {
            try {
                listener = listen();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Cuts every open connection; new connections work. */
    public void cut() {
        links.forEach(Link::close);
    }

    /** Cuts every connection and refuses new ones. */
    public synchronized void refuse() {
        closeListener();
        cut();
    }

    /** Accepts connections and reads all bytes, but forwards none in either direction. */
    public void blackHole() {
        swallowing = true;
    }

    /** Delays everything that is sent, in each direction. */
    public void delay(Duration each) {
        delayMicros = each.toNanos() / 1_000;
    }

    /**
     * Once: passes the next request that contains this text to the server, waits for the reply, and cuts the connection instead
     * of forwarding the reply. The server has executed the request, but the client does not know.
     */
    public void loseReplyTo(String text) {
        losing = text;
    }

    /** Once: forwards this many more bytes of replies, counted over all connections, and cuts the connection that carries the next. */
    public void cutAfterReplyBytes(long bytes) {
        allowance.set(bytes);
    }

    /** Cuts this share of new connections with their first request; the seed determines which ones. */
    public synchronized void cutShare(double share, long seed) {
        random = new Random(seed);
        cutShare = share;
    }

    @Override
    public synchronized void close() {
        refuse();
        Ports.giveBack(port);
        Exit.forget(this);
    }

    private record Listening(ServerSocket socket, Thread acceptor) {}

    private Listening listen() throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
        return new Listening(socket, daemon("accept", () -> accept(socket)));
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                accepted.incrementAndGet();
                connect(client, socket);
            } catch (IOException e) {
                // the proxy was closed, or the server is not reachable: the client sees its connection end
            }
        }
    }

    private void connect(Socket client, ServerSocket listening) throws IOException {
        Socket server = new Socket();
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5_000);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException e) {
            client.close();
            server.close();
            throw e;
        }
        Link link = new Link(client, server, doomed());
        links.add(link);
        if (listening.isClosed()) { // refuse() ran meanwhile and may have missed this connection
            link.close();
        }
        daemon("requests", link::copyRequests);
        daemon("replies", link::copyReplies);
    }

    private boolean doomed() {
        return cutShare > 0 && random.nextDouble() < cutShare;
    }

    /** Closes the listener and waits for its accepting thread: until that wakes up, the system keeps the port, and nobody can bind it. */
    private void closeListener() {
        Listening open = listener;
        listener = null;
        if (open == null) {
            return;
        }
        try {
            open.socket.close();
            open.acceptor.join(TimeUnit.SECONDS.toMillis(30));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, "headgate-rig-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** A connection from a client and the matching connection to the server. */
    private final class Link {

        private final Socket client;
        private final Socket server;
        private final boolean doomed;
        private volatile boolean losesReply;

        Link(Socket client, Socket server, boolean doomed) {
            this.client = client;
            this.server = server;
            this.doomed = doomed;
        }

        void copyRequests() {
            copy(client, server, this::passesRequest);
        }

        void copyReplies() {
            copy(server, client, this::passesReply);
        }

        private void copy(Socket from, Socket to, Gate gate) {
            byte[] bytes = new byte[CHUNK];
            try (this.client;
                    this.server) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    hold();
                    int passing = gate.passes(bytes, count);
                    out.write(bytes, 0, Math.max(0, passing));
                    if (passing == CUT) {
                        break;
                    }
                }
            } catch (IOException e) {
                // one side has closed its connection: close the other as well
            } finally {
                links.remove(this);
            }
        }

        private int passesRequest(byte[] bytes, int count) {
            if (doomed) {
                return CUT;
            }
            String text = losing;
            if (text != null && new String(bytes, 0, count, ISO_8859_1).contains(text) && claimLoss(text)) {
                losesReply = true;
            }
            return swallowing ? 0 : count;
        }

        private int passesReply(byte[] bytes, int count) throws IOException {
            if (losesReply) {
                lost.incrementAndGet();
                return CUT;
            }
            if (swallowing) {
                return 0;
            }
            if (allowance.get() == UNLIMITED) {
                return count;
            }
            long left = allowance.getAndUpdate(now -> now == UNLIMITED || now < count ? UNLIMITED : now - count);
            if (left >= count) {
                return count;
            }
            client.getOutputStream().write(bytes, 0, (int) left);
            return CUT;
        }

        private void hold() {
            if (delayMicros > 0) {
                try {
                    TimeUnit.MICROSECONDS.sleep(delayMicros);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        void close() {
            links.remove(this);
            try (this.client) {
                this.server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private synchronized boolean claimLoss(String text) {
        boolean mine = text.equals(losing);
        losing = mine ? null : losing;
        return mine;
    }

    /** Decides how many of the bytes to forward; {@link #CUT} forwards none and ends the connection. */
    private interface Gate {
        int passes(byte[] bytes, int count) throws IOException;
    }
}
