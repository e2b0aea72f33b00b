package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ReloadedTlsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final CountDownLatch readable = new CountDownLatch(1);
    private final AtomicInteger reads = new AtomicInteger();

    @TempDir
    private Path temporary;

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFileSystemThatHangsStopsNothing() throws Exception {
        Path file = Files.writeString(temporary.resolve("ca"), "a");
        ReloadedTls tls = new ReloadedTls(this::read, List.of(file), Thread::startVirtualThread);
        SSLContext first = tls.current();
        Files.writeString(file, "b");
        tls.refresh(0);
        tls.refresh(Duration.ofMinutes(1).toNanos());
        Awaitility.await().atMost(LONG).until(() -> reads.get() == 2);
        tls.refresh(Duration.ofMinutes(2).toNanos());
        assertThat(tls.isRenewed(first)).isFalse();
        assertThat(tls.current()).isSameAs(first);
        assertThat(reads).as("one thread reads").hasValue(2);
        readable.countDown();
        Awaitility.await().atMost(LONG).until(() -> tls.isRenewed(first));
        assertThat(tls.isRenewed(tls.current())).isFalse();
    }

    private SSLContext read() throws GeneralSecurityException, IOException {
        try {
            if (reads.incrementAndGet() > 1) {
                readable.await();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, null, null);
        return tls;
    }
}
