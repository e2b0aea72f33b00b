package io.bucketwright.testing.permits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachinePermitsTest {

    @TempDir
    private Path directory;

    @Test
    void permitsOfAnotherProcessAreFreeWhenItIsKilled() throws Exception {
        Process other = holder(2);
        try (MachinePermits permits = MachinePermits.open(file(), 3)) {
            acquire(permits, 1).get().close();
            Request two = request(permits, 2);
            assertThat(two.mustWait())
                    .as("two permits while the other holds two of three")
                    .isTrue();
            other.destroyForcibly();
            two.held().get(60, TimeUnit.SECONDS).close();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void whoeverNeedsSeveralIsNotOvertaken() throws Exception {
        try (MachinePermits permits = MachinePermits.open(file(), 3);
                MachinePermits.Held _ = acquire(permits, 1).get()) {
            MachinePermits.Held second = acquire(permits, 1).get();
            Request two = request(permits, 2);
            assertThat(two.mustWait()).isTrue();
            Request one = request(permits, 1);
            assertThat(one.mustWait())
                    .as("one permit is free, and was asked for later")
                    .isTrue();
            second.close();
            two.held().get(60, TimeUnit.SECONDS).close();
            one.held().get(60, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void aClassThatNeedsMoreThanThereAreGetsAll() throws Exception {
        try (MachinePermits permits = MachinePermits.open(file(), 2)) {
            acquire(permits, 5).get().close();
            acquire(permits, 2).get().close();
        }
    }

    @Test
    void anInterruptedWaitKeepsNoPermit() throws Exception {
        try (MachinePermits permits = MachinePermits.open(file(), 2)) {
            MachinePermits.Held first = acquire(permits, 1).get();
            CountDownLatch waits = new CountDownLatch(1);
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    permits.acquire(2, waits::countDown).close();
                } catch (InterruptedException expected) {
                    // As wanted.
                }
            });
            waits.await();
            thread.interrupt();
            thread.join();
            first.close();
            acquire(permits, 2).get(60, TimeUnit.SECONDS).close();
        }
    }

    private Path file() {
        return directory.resolve("permits");
    }

    /** @param waits completed when the permits are not free */
    private record Request(CompletableFuture<Void> waits, CompletableFuture<MachinePermits.Held> held) {

        boolean mustWait() {
            CompletableFuture.anyOf(waits, held).join();
            return waits.isDone() && !held.isDone();
        }
    }

    private static Request request(MachinePermits permits, int wanted) {
        CompletableFuture<Void> waits = new CompletableFuture<>();
        return new Request(waits, acquire(permits, wanted, () -> waits.complete(null)));
    }

    private static CompletableFuture<MachinePermits.Held> acquire(MachinePermits permits, int wanted) {
        return acquire(permits, wanted, () -> {});
    }

    private static CompletableFuture<MachinePermits.Held> acquire(
            MachinePermits permits, int wanted, Runnable waiting) {
        CompletableFuture<MachinePermits.Held> held = new CompletableFuture<>();
        Thread _ = Thread.ofPlatform().start(() -> {
            try {
                held.complete(permits.acquire(wanted, waiting));
            } catch (InterruptedException e) {
                held.completeExceptionally(e);
            }
        });
        return held;
    }

    private Process holder(int wanted) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PermitHolder.class.getName(),
                        file().toString(),
                        "3",
                        String.valueOf(wanted))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader();
        assertThat(output.readLine()).isEqualTo("held");
        return process;
    }
}
