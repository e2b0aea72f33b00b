package io.bucketwright.local.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.local.server.Component;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each object store that runs on one machine, started alone. */
class LocalStoreIT {

    @ParameterizedTest
    @EnumSource
    void aStoreIsReadyWhenStartReturnsAndLeavesNothingWhenItIsClosed(StoreKind kind) throws Exception {
        Path dir;
        try (LocalStore store = LocalStore.start(kind)) {
            dir = store.dir();
            // A command that ended just now may still be seen.
            await().untilAsserted(() -> assertThat(processesIn(store.dir()))
                    .hasSize(kind.components().size()));
            // moto fails on requests without a signature.
            String path = kind == StoreKind.MOTO ? "/moto-api/data.json" : "/";
            assertThat(status(store.access().endpoint() + path)).isLessThan(500);
            assertThat(store.access().toString()).endsWith(", ***]");
        }
        assertThat(dir).doesNotExist();
        assertThat(processesIn(dir)).isEmpty();
    }

    /** All but the emulators that check no credentials, or answer 500 if there are none. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"GCS", "MOTO"})
    void aStoreRejectsUnknownClientsAndKeepsTheKeysInAFileOfItsOwner(StoreKind kind) throws Exception {
        try (LocalStore store = LocalStore.start(kind)) {
            StoreAccess access = store.access();
            Path file = Path.of(access.credentialsFile());
            assertThat(Files.readAllLines(file))
                    .hasSize(2)
                    .anyMatch(line -> line.endsWith("=" + access.accessKeyId()))
                    .anyMatch(line -> line.endsWith("=" + access.secretAccessKey()));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            // The last part makes it a request for a list in Azure; S3 ignores it.
            assertThat(status(access.endpoint() + "/private-bucket?list-type=2&restype=container&comp=list"))
                    .isIn(401, 403, 404);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"S3", "MINIO"})
    void aRestartedServerKeepsItsPortAndItsKeys(StoreKind kind) throws Exception {
        try (LocalStore store = LocalStore.start(kind)) {
            StoreAccess before = store.access();
            Component server = kind.components().getLast();
            store.stop(server);
            store.start(server);
            assertThat(store.access()).isEqualTo(before);
            assertThat(status(before.endpoint())).isLessThan(500);
        }
    }

    private static int status(String address) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder()
                .proxy(HttpClient.Builder.NO_PROXY)
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    /** Every process of a store has its folder as working directory, also after the folder was removed. */
    private static List<Long> processesIn(Path dir) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> workingDirectory(pid).startsWith(dir.toString()))
                .toList();
    }

    private static String workingDirectory(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .toString();
        } catch (IOException exited) {
            return "";
        }
    }
}
