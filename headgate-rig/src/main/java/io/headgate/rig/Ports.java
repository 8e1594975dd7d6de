package io.headgate.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free loopback ports. A server may also listen on the next port, and a cluster node on the port 10,000 above. All of these
 * are free, and all lie below the range from which systems take the ports of outgoing connections. Another process can still take
 * a port first; the caller must then try again.
 */
final class Ports {

    private static final int FIRST = 11_000;
    private static final int LAST = 21_999;
    private static final int BUS = 10_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    static int free() {
        for (int i = 0; i < 10_000; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST) & ~1; // even, because the next port is for TLS
            if (GIVEN.add(port)) {
                if (isFree(port) && isFree(port + 1) && isFree(port + BUS)) {
                    return port;
                }
                GIVEN.remove(port);
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
    }

    static void giveBack(int port) {
        GIVEN.remove(port);
    }

    static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
