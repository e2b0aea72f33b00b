package io.bucketwright.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that hold connections of the status server, beside the probes of the kubelet. */
class StatusServerLimitsTest {

    private static final String HALF = "GET /livez HTTP/1.1\r\n";
    private static final String WHOLE = HALF + "Host: x\r\n\r\n";

    private static final String SCRAPE = "GET /metrics HTTP/1.1\r\n\r\n";
    private static final int MOST_SCRAPES = 4;
    private static final int PAGE = 16 << 20;
    private static final Duration LONG = Duration.ofSeconds(60);

    private volatile CountDownLatch collectable = new CountDownLatch(0);
    private final AtomicInteger scrapes = new AtomicInteger();
    private final StatusServer server =
            new StatusServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this::collect);
    private final List<Socket> clients = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        server.close();
        for (Socket client : clients) {
            client.close();
        }
    }

    @Test
    void ofThousandsOfHalfRequestsFewStayOpenAndProbesAreAnsweredMeanwhile() throws IOException {
        for (int i = 0; i < 3000; i++) {
            send("127.0.3.1", HALF);
            if (i % 100 == 99) {
                assertThat(answer(send("127.0.0.2", WHOLE))).startsWith("HTTP/1.1 200");
            }
        }
        assertThat(openSockets()).isBetween(1L, (long) StatusListener.MOST_CONNECTIONS);
    }

    @Test
    void aProbeThatIsHalfSentOutlivesAFloodFromAnotherAddress() throws IOException {
        Socket probe = send("127.0.0.2", HALF);
        for (int i = 0; i < 500; i++) {
            send("127.0.3.1", HALF);
        }
        probe.getOutputStream().write("Host: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(answer(probe)).startsWith("HTTP/1.1 200");
    }

    @Test
    void aFloodFromManyAddressesDoesNotStopProbes() throws IOException {
        for (int i = 0; i < 500; i++) {
            send("127.0.1." + (1 + i % 250), HALF);
        }
        assertThat(answer(send("127.0.0.2", WHOLE))).startsWith("HTTP/1.1 200");
    }

    @Test
    void aRequestThatIsNeverCompletedIsClosed() throws IOException {
        Socket half = send("127.0.3.1", HALF);
        half.setSoTimeout((int) StatusListener.LONGEST.multipliedBy(6).toMillis());
        assertThat(half.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void clientsThatDoNotReadTheMetricsHoldFewPagesAndLockNobodyOut() throws IOException {
        collectable = new CountDownLatch(1);
        List<Socket> greedy = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            greedy.add(send("127.0.3.1", SCRAPE));
        }
        Socket other = send("127.0.0.2", SCRAPE);
        // All have been accepted: the oldest ones are closed without a response.
        Awaitility.await()
                .atMost(LONG)
                .until(() -> greedy.stream().filter(this::isClosed).count() >= 20 - MOST_SCRAPES);
        collectable.countDown();
        assertThat(answer(other)).hasSizeGreaterThan(PAGE);
        assertThat(scrapes).as("pages that were made for 21 requests").hasValueLessThanOrEqualTo(MOST_SCRAPES + 1);
        assertThat(answer(send("127.0.0.2", SCRAPE))).hasSizeGreaterThan(PAGE);
    }

    @Test
    void probesAreAnsweredWhileManyClientsWaitForMetricsThatHang() throws IOException {
        collectable = new CountDownLatch(1);
        try {
            for (int i = 0; i < 300; i++) {
                send("127.0.1." + (1 + i % 250), SCRAPE);
            }
            assertThat(answer(send("127.0.0.2", WHOLE))).startsWith("HTTP/1.1 200");
        } finally {
            collectable.countDown();
        }
    }

    @Test
    void aRequestWithoutAnEndIsRefused() throws IOException {
        assertThat(answer(send("127.0.3.1", "x".repeat(8 * 1024)))).startsWith("HTTP/1.1 431");
        assertThat(answer(send("127.0.3.1", "nonsense\r\n\r\n"))).startsWith("HTTP/1.1 400");
        assertThat(answer(send("127.0.3.1", "POST /livez HTTP/1.1\r\n\r\n"))).startsWith("HTTP/1.1 405");
    }

    private String collect() {
        scrapes.incrementAndGet();
        try {
            collectable.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "x".repeat(PAGE);
    }

    private Socket send(String from, String text) throws IOException {
        Socket client = new Socket();
        clients.add(client);
        client.setReceiveBufferSize(4096);
        client.bind(new InetSocketAddress(from, 0));
        client.connect(server.address());
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private static String answer(Socket client) throws IOException {
        try (client) {
            client.setSoTimeout((int) LONG.toMillis());
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private boolean isClosed(Socket client) {
        try {
            return !isOpen(client);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The clients whose connection the server has not closed. */
    private long openSockets() throws IOException {
        long open = 0;
        for (Socket client : clients) {
            if (!client.isClosed() && isOpen(client)) {
                open++;
            }
        }
        return open;
    }

    private static boolean isOpen(Socket client) throws IOException {
        client.setSoTimeout(20);
        try {
            return client.getInputStream().read() >= 0;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } catch (java.net.SocketException e) {
            // Reset.
            return false;
        }
    }
}
