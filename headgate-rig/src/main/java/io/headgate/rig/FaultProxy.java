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
 * A network between a client and a server that fails on command.
 *
 * <p>Two daemon threads per connection copy bytes, one each way. A fault is either a state that lasts until {@link #pass}
 * (refusing, swallowing, delaying, cutting some connections) or armed once and used up by the first connection it meets.
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
        this.port = Ports.free(); // not one that an outgoing connection can take while this refuses
        this.listener = listen();
        Exit.closes(this);
    }

    /** A way to a port of this machine that works until told otherwise. */
    public static FaultProxy to(int port) {
        try {
            return new FaultProxy(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A way to that server. */
    public static FaultProxy to(RedisServer server) {
        return to(server.port());
    }

    /** Where clients connect. */
    public int port() {
        return port;
    }

    /** How many connections were accepted so far. */
    public int accepted() {
        return accepted.get();
    }

    /** How many connections are open. */
    public int open() {
        return links.size();
    }

    /** How many replies were lost on command. */
    public int lost() {
        return lost.get();
    }

    /** Works again. Connections whose bytes were swallowed are cut, since what follows would make no sense to either side. */
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

    /** Cuts every connection now; new ones work. */
    public void cut() {
        links.forEach(Link::close);
    }

    /** Cuts every connection and refuses new ones. */
    public synchronized void refuse() {
        closeListener();
        cut();
    }

    /** Accepts connections and takes what is sent, and never answers. */
    public void blackHole() {
        swallowing = true;
    }

    /** Holds back whatever is sent, in each direction, for so long. */
    public void delay(Duration each) {
        delayMicros = each.toNanos() / 1_000;
    }

    /**
     * Once: lets the next request that contains this text through, waits until the server has answered it, and cuts the
     * connection instead of passing the answer on. The request was carried out and nobody knows.
     */
    public void loseReplyTo(String text) {
        losing = text;
    }

    /** Once: cuts the connection that carries the byte of all replies, from now on, that follows so many others. */
    public void cutAfterReplyBytes(long bytes) {
        allowance.set(bytes);
    }

    /** Cuts that share of new connections, chosen by the seed, as soon as they are used. */
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
                // closed, or the server is not there: the client sees its connection end
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
        if (listening.isClosed()) { // refused just then, and perhaps not among those that were cut
            link.close();
        }
        daemon("requests", link::copyRequests);
        daemon("replies", link::copyReplies);
    }

    private boolean doomed() {
        return cutShare > 0 && random.nextDouble() < cutShare;
    }

    /** Waits for whoever accepts: until it has woken up the system keeps the port, and nobody could listen there again. */
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

    /** One connection of a client and its continuation to the server. */
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
                // either side has ended, and so does the other
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

    /** How many of the bytes go on; {@link #CUT} for none, ever again. */
    private interface Gate {
        int passes(byte[] bytes, int count) throws IOException;
    }
}
