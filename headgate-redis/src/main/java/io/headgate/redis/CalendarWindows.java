package io.headgate.redis;

import io.headgate.Window;
import java.nio.ByteBuffer;

/** The windows of a calendar around a time: the previous, the current and the next one. */
final class CalendarWindows {

    private final int place;
    private final Window.Calendar window;
    private volatile Bounds last = new Bounds(0, 0, new byte[0]);

    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    private record Bounds(long start, long end, byte[] bytes) {}

    /** @param place the offset of the windows in the bytes of the numbers */
    CalendarWindows(Window.Calendar window, int place) {
        this.window = window;
        this.place = place;
    }

    /** Writes the windows around that time into the numbers. */
    void aim(byte[] numbers, long nowMicros) {
        byte[] bytes = windows(nowMicros);
        System.arraycopy(bytes, 0, numbers, place, bytes.length);
    }

    private byte[] windows(long nowMicros) {
        Bounds bounds = last;
        if (nowMicros < bounds.start || nowMicros >= bounds.end) {
            long start = window.startMicros(nowMicros);
            long end = window.endMicros(nowMicros);
            byte[] bytes = ByteBuffer.allocate(4 * Double.BYTES)
                    .putDouble((double) window.startMicros(start - 1))
                    .putDouble((double) start)
                    .putDouble((double) end)
                    .putDouble((double) window.endMicros(end))
                    .array();
            bounds = new Bounds(start, end, bytes);
            last = bounds;
        }
        return bounds.bytes;
    }
}
