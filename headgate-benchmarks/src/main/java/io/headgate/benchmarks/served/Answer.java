package io.headgate.benchmarks.served;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads HTTP responses with a {@code Content-Length} from a connection, one after the other, and parses no more than it must: the
 * clients share the processors with the measured server, and an additional header should cost the server, not the client.
 */
final class Answer {

    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    private final InputStream in;
    private final byte[] bytes = new byte[8_192];
    private int end;
    private int head;

    Answer(InputStream in) {
        this.in = in;
    }

    /** Reads one response to its end and returns its status. Nothing may follow it. */
    int read() throws IOException {
        end = 0;
        int line = 0;
        int length = -1;
        for (int at = 0; ; at++) {
            while (at == end) {
                more();
            }
            if (bytes[at] == '\n') {
                if (at - line <= 1) {
                    head = at + 1;
                    break;
                }
                length = isLength(line) ? number(line + LENGTH.length, at) : length;
                line = at + 1;
            }
        }
        if (length < 0) {
            throw new IOException("an answer without a length: " + head());
        }
        while (end < head + length) {
            more();
        }
        if (end > head + length) {
            throw new IOException("more than one answer to one request");
        }
        return number(9, 12);
    }

    /** The status line and the headers of the last response. */
    String head() {
        return new String(bytes, 0, head, StandardCharsets.US_ASCII);
    }

    private void more() throws IOException {
        if (end == bytes.length) {
            throw new IOException("an answer of more than " + end + " bytes");
        }
        int count = in.read(bytes, end, bytes.length - end);
        if (count < 0) {
            throw new EOFException("the server hung up");
        }
        end += count;
    }

    private boolean isLength(int from) {
        for (int i = 0; i < LENGTH.length; i++) {
            if ((bytes[from + i] | 0x20) != (LENGTH[i] | 0x20)) {
                return false;
            }
        }
        return true;
    }

    private int number(int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                number = 10 * number + bytes[i] - '0';
            }
        }
        return number;
    }
}
