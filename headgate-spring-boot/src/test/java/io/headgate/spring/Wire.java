package io.headgate.spring;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A connection on which requests are written byte by byte as the test says, so that no client library tidies them up. */
public final class Wire implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;

    private Wire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** A connection from that address of the loopback network, 127.0.0.0/8; each of them is another client. */
    public static Wire from(String address, int port) {
        try {
            Socket socket = new Socket();
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            socket.bind(new InetSocketAddress(literal(address), 0));
            socket.connect(new InetSocketAddress(literal("127.0.0.1"), port), PATIENCE_MILLIS);
            return new Wire(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetAddress literal(String address) throws IOException {
        String[] parts = address.split("\\.", 4);
        byte[] bytes = new byte[parts.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return InetAddress.getByAddress(bytes);
    }

    /** Writes the text, each character as one byte. */
    public Wire write(String text) {
        return write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Writes the bytes; that the server has heard enough already is its answer to tell. */
    public Wire write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            return this;
        }
        return this;
    }

    /** Waits for the next answer to a request with a body in its answer. */
    public Answer read() {
        return read(true);
    }

    /** Waits for the next answer; status 0, and why in the body, if the server hangs up instead. One that says nothing at all is a mistake. */
    public Answer read(boolean body) {
        try {
            String status = line();
            if (status.isEmpty()) {
                return Answer.none("the server hung up");
            }
            Map<String, List<String>> headers = new TreeMap<>();
            for (String line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                        .add(line.substring(colon + 1).strip());
            }
            Answer head = new Answer(Integer.parseInt(status.split(" ", 3)[1]), headers, "");
            return body ? head.with(body(head)) : head;
        } catch (SocketTimeoutException e) {
            throw new UncheckedIOException("no answer within " + PATIENCE_MILLIS + " ms", e);
        } catch (IOException e) {
            return Answer.none(e.toString());
        }
    }

    /** Waits until the server hangs up; all that it sent till then. */
    public String rest() {
        try {
            return text(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String body(Answer head) throws IOException {
        if ("chunked".equals(head.header("transfer-encoding"))) {
            StringBuilder body = new StringBuilder();
            while (true) {
                int length = Integer.parseInt(line(), 16);
                body.append(text(in.readNBytes(length)));
                line();
                if (length == 0) {
                    return body.toString();
                }
            }
        }
        String length = head.header("content-length");
        return text(length == null ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length)));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A line without its end; empty at the end of everything. */
    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                if (line.size() > 0) {
                    throw new EOFException("in the middle of a line");
                }
                return "";
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What came back.
     *
     * @param headers by their names in lower case
     */
    public record Answer(int status, Map<String, List<String>> headers, String body) {

        private static Answer none(String why) {
            return new Answer(0, Map.of(), why);
        }

        /** The value of a header that is there once; {@code null} if it is not there. */
        public String header(String name) {
            List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
            return values == null ? null : String.join(", ", values);
        }

        private Answer with(String text) {
            return new Answer(status, headers, text);
        }
    }
}
