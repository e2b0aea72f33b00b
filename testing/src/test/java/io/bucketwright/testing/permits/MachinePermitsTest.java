package io.bucketwright.testing.permits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
            CompletableFuture<MachinePermits.Held> two;
            try (MachinePermits.Held _ = permits.acquire(1)) {
                two = acquire(permits, 2);
            }
            assertThat(isDoneSoon(two))
                    .as("two permits while the other holds two of three")
                    .isFalse();
            other.destroyForcibly();
            two.get(60, TimeUnit.SECONDS).close();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void whoeverNeedsSeveralIsNotOvertaken() throws Exception {
        try (MachinePermits permits = MachinePermits.open(file(), 3);
                MachinePermits.Held _ = permits.acquire(1)) {
            MachinePermits.Held second = permits.acquire(1);
            CompletableFuture<MachinePermits.Held> two = acquire(permits, 2);
            assertThat(isDoneSoon(two)).isFalse();
            CompletableFuture<MachinePermits.Held> one = acquire(permits, 1);
            assertThat(isDoneSoon(one)).as("one permit, asked for later").isFalse();
            second.close();
            two.get(60, TimeUnit.SECONDS).close();
            one.get(60, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void aClassThatNeedsMoreThanThereAreGetsAll() throws Exception {
        try (MachinePermits permits = MachinePermits.open(file(), 2)) {
            permits.acquire(5).close();
            permits.acquire(2).close();
        }
    }

    private Path file() {
        return directory.resolve("permits");
    }

    private static boolean isDoneSoon(CompletableFuture<?> future) throws InterruptedException {
        Thread.sleep(500);
        return future.isDone();
    }

    private static CompletableFuture<MachinePermits.Held> acquire(MachinePermits permits, int wanted) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return permits.acquire(wanted);
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
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
