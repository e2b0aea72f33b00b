package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The installed command as a driver, and as its judge. */
class InstalledCosiIT {

    private static final Path DIST = Path.of("target", "dist");

    @TempDir
    private Path folder = Path.of("/");

    @Test
    void aDriverServesUntilItIsToldToStopAndThenLeavesNoSocket() throws Exception {
        Path socket = folder.resolve("cosi.sock");
        Process driver =
                start("driver", installed("cosi", "driver", "--store", "none", "--listen", "unix://" + socket));
        try {
            await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(socket) || !driver.isAlive());

            Process sanity = start("sanity", installed("cosi", "sanity", "--endpoint", "unix://" + socket));
            assertThat(sanity.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(sanity.exitValue())
                    .as(read("sanity.out") + read("sanity.err"))
                    .isZero();
            assertThat(read("sanity.out")).contains("The driver none.bucketwright.io (s3): ", " 0 failed");
            assertThat(read("sanity.err")).isEmpty();
        } finally {
            driver.destroy();
        }

        assertThat(driver.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(socket).doesNotExist();
        assertThat(read("driver.err")).contains("Started").doesNotContain("SO_KEEPALIVE", "Exception");
    }

    @Test
    void whoDoesNotSpeakCosiNeedsNoGrpc() throws Exception {
        List<String> without = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                DIST.resolve("lib/core") + "/*:" + DIST.resolve("lib/local") + "/*",
                "io.bucketwright.app.Main",
                "cosi",
                "driver",
                "--help");
        Process help = start("help", without);

        assertThat(help.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(help.exitValue()).as(read("help.err")).isZero();
        assertThat(read("help.out")).contains("--listen");
        assertThat(DIST.resolve("lib/core").toFile().list())
                .isNotEmpty()
                .noneMatch(jar -> jar.startsWith("grpc-") || jar.startsWith("protobuf-") || jar.startsWith("guava"));
    }

    private static List<String> installed(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(DIST.resolve("bin/bucketwright").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private Process start(String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .redirectError(folder.resolve(name + ".err").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    private String read(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }
}
