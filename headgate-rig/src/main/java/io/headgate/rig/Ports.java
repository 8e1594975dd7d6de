package io.headgate.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports on loopback. A server may also listen on the next port, and a node of a cluster 10,000 above: all are free, and
 * all lie below the range systems take the ports of outgoing connections from. Another process can still be faster: start again then.
 */
final class Ports {

    private static final int FIRST = 11_000;
    private static final int LAST = 21_999;
    private static final int BUS = 10_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    static int free() {
        for (int i = 0; i < 10_000; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST) & ~1; // the next one is for TLS
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
