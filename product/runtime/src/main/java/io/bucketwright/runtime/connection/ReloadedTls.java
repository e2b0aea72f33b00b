package io.bucketwright.runtime.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of new connections, made again when one of its files has another content: a cluster rotates its authority, and
 * the certificate of a user expires.
 */
final class ReloadedTls {

    /** Makes TLS from the files as they are. */
    interface Source {
        SSLContext read() throws IOException, GeneralSecurityException;
    }

    private static final Logger log = LoggerFactory.getLogger(ReloadedTls.class);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** How long a request whose handshake failed waits for files that are read again. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Source source;
    private final List<Path> files;
    private final Executor executor;
    private volatile SSLContext current;
    /** Used by one task at a time, as is {@link #source}. */
    private byte[] content;

    private CompletableFuture<Void> reading = CompletableFuture.completedFuture(null);
    private long checkedNanos;
    private boolean checked;

    /**
     * Reads the files.
     *
     * @param executor runs each task in a thread of its own
     */
    ReloadedTls(Source source, List<Path> files, Executor executor) throws IOException, GeneralSecurityException {
        this.source = source;
        this.files = List.copyOf(files);
        this.executor = executor;
        // Before the files are read: a change meanwhile is seen as one afterwards.
        this.content = content();
        this.current = source.read();
    }

    /** TLS that never changes. */
    static ReloadedTls fixed(SSLContext tls) {
        try {
            return new ReloadedTls(() -> tls, List.of(), Runnable::run);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    SSLContext current() {
        return current;
    }

    /** Looks at the files once a minute, in another thread: reading from a file system that hangs must stop nothing. */
    synchronized void refresh(long nowNanos) {
        if (checked && nowNanos - checkedNanos < INTERVAL.toNanos()) {
            return;
        }
        checkedNanos = nowNanos;
        if (checked) {
            var _ = read();
        }
        checked = true;
    }

    /** Whether there is another TLS than the one that failed. If not, it looks at the files now. */
    boolean isRenewed(SSLContext failed) {
        if (current.equals(failed)) {
            try {
                read().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                log.debug("The certificates are not read yet", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return !current.equals(failed);
    }

    private synchronized CompletableFuture<Void> read() {
        if (!files.isEmpty() && reading.isDone()) {
            try {
                reading = CompletableFuture.runAsync(this::readNow, executor);
            } catch (RejectedExecutionException e) {
                log.debug("The client is closed", e);
            }
        }
        return reading;
    }

    private void readNow() {
        try {
            byte[] now = content();
            if (!MessageDigest.isEqual(now, content)) {
                current = source.read();
                content = now;
                log.info("The certificates of the API server or of this process have changed and were read again");
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // Perhaps only one of the files is there yet. The former ones may still work.
            log.debug("The certificates cannot be read at present", e);
        }
    }

    private byte[] content() throws IOException, GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            digest.update((bytes.length + "\n").getBytes(StandardCharsets.US_ASCII));
            digest.update(bytes);
        }
        return digest.digest();
    }
}
