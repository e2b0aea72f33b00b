package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.app.InstalledCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The installed command as a driver, and as its conformance test. */
class InstalledCosiIT {

    @TempDir
    private Path folder = Path.of("/");

    @Test
    void aDriverServesUntilItIsTerminatedAndThenLeavesNoSocket() throws Exception {
        Path socket = folder.resolve("cosi.sock");
        InstalledCommand driver = InstalledCommand.start(
                folder, "driver", "cosi", "driver", "--store", "none", "--listen", "unix://" + socket);
        try (driver;
                InstalledCommand sanity = sanity(socket, driver)) {
            assertThat(sanity.await()).as(sanity.out() + sanity.err()).isZero();
            assertThat(sanity.out()).contains("The driver none.bucketwright.io (s3): ", " 0 failed");
            assertThat(sanity.err()).isEmpty();
        }

        assertThat(socket).doesNotExist();
        assertThat(driver.err()).contains("Started").doesNotContain("SO_KEEPALIVE", "Exception");
    }

    @Test
    void whoDoesNotSpeakCosiNeedsNoGrpc() throws Exception {
        Path lib = InstalledCommand.DIST.resolve("lib");
        InstalledCommand help = InstalledCommand.startAny(
                folder,
                "help",
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        lib + "/*:" + lib.resolve("core") + "/*",
                        "io.bucketwright.app.Main",
                        "cosi",
                        "driver",
                        "--help"));

        assertThat(help.await()).as(help.err()).isZero();
        assertThat(help.out()).contains("--listen");
        assertThat(lib.resolve("core").toFile().list())
                .isNotEmpty()
                .noneMatch(jar -> jar.startsWith("grpc-") || jar.startsWith("protobuf-") || jar.startsWith("guava"));
    }

    private InstalledCommand sanity(Path socket, InstalledCommand driver) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.exists(socket) || !driver.process().isAlive());
        return InstalledCommand.start(folder, "sanity", "cosi", "sanity", "--endpoint", "unix://" + socket);
    }
}
