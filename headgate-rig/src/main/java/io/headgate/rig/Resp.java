package io.headgate.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plain connection to Redis, one command at a time: enough to query the state of a server without a client library.
 *
 * <p>Replies are a {@link String}, a {@link Long}, a {@link List} or {@code null}; an error reply is a {@link RedisError}.
 */
public final class Resp implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;

    private Resp(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** An error reply from Redis. */
    public static final class RedisError extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RedisError(String message) {
            super(message);
        }
    }

    /** Connects to a port on the loopback address. */
    public static Resp connect(int port, Duration timeout) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Math.toIntExact(timeout.toMillis()));
            return new Resp(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a command and waits for its reply. */
    public @Nullable Object command(String... words) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + words.length + "\r\n").getBytes(UTF_8));
        for (String word : words) {
            byte[] bytes = word.getBytes(UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
            request.writeBytes(bytes);
            request.writeBytes(new byte[] {'\r', '\n'});
        }
        socket.getOutputStream().write(request.toByteArray());
        return reply();
    }

    private @Nullable Object reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> throw new RedisError(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("not a reply of Redis: " + line);
        };
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || in.readNBytes(2).length < 2) {
            throw new EOFException("the reply ended early");
        }
        return new String(bytes, UTF_8);
    }

    private @Nullable List<@Nullable Object> list(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            list.add(reply());
        }
        return list;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed");
            }
            line.write(next);
        }
        String text = line.toString(UTF_8).stripTrailing();
        if (text.isEmpty()) {
            throw new IOException("not a reply of Redis: an empty line");
        }
        return text;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
