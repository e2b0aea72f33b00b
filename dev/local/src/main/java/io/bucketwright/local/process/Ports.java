package io.bucketwright.local.process;

import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds free ports on loopback below the range from which the kernel takes ports for outgoing connections: a server
 * that is restarted on its old port must not find a client sitting there.
 */
public final class Ports {

    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int TRIES = 200;

    private Ports() {}

    /** The port it had before, if it is still free; otherwise another. */
    public static int choose(@Nullable Integer before) {
        if (before != null && isFree(before)) {
            return before;
        }
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new LocalClusterException("No free port found between " + FIRST + " and " + LAST + " on loopback.");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
