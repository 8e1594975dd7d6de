package io.headgate.redis.script;

import io.headgate.Window;
import java.nio.charset.StandardCharsets;

/** The windows of a calendar around a time, as an argument of a script: where the previous, the current and the next start and that ends. */
final class CalendarWindows {

    private final Window.Calendar window;
    private volatile Bounds last = new Bounds(0, 0, new byte[0]);

    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    private record Bounds(long start, long end, byte[] text) {}

    CalendarWindows(Window.Calendar window) {
        this.window = window;
    }

    byte[] around(long nowMicros) {
        Bounds bounds = last;
        if (nowMicros < bounds.start || nowMicros >= bounds.end) {
            long start = window.startMicros(nowMicros);
            long end = window.endMicros(nowMicros);
            String text = window.startMicros(start - 1) + "/" + start + "/" + end + "/" + window.endMicros(end);
            bounds = new Bounds(start, end, text.getBytes(StandardCharsets.US_ASCII));
            last = bounds;
        }
        return bounds.text;
    }
}
