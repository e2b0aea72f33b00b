package io.bucketwright.app.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.StubApiServer;
import io.bucketwright.app.claim.ClaimShell;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bucketwright directory abandon} with an API server that answers as the test says. */
class AbandonCommandTest {

    private static final String VOLUME = """
            {"kind": "PersistentVolume", "apiVersion": "v1",
             "metadata": {"name": "pvc-1", "uid": "1-2-3", "annotations": {"bucketwright.io/directory-root": "root"}},
             "spec": {}}""";

    @Test
    void aNameWithoutAVolumeIsAnErrorBeforeAnythingIsDone(@TempDir Path folder) throws IOException {
        try (StubApiServer server = new StubApiServer()) {
            server.answer(
                    "GET /api/v1/persistentvolumes",
                    200,
                    "{\"kind\": \"PersistentVolumeList\", \"apiVersion\": \"v1\", \"items\": [" + VOLUME + "]}");
            server.answer("GET /api/v1/persistentvolumes/pvc-1", 200, VOLUME);
            server.answer("PATCH /api/v1/persistentvolumes/pvc-1", 200, VOLUME);
            ClaimShell shell = new ClaimShell(server.kubeconfig(folder));

            shell.fails(new DirectoryAbandonCommand(), "--yes", "pvc-1", "pvc-2")
                    .isEqualTo("There is no volume pvc-2 of the directory provisioner. Nothing was changed.\n");
            assertThat(server.patches()).isEmpty();

            shell.succeeds(new DirectoryAbandonCommand(), "--yes", "pvc-1");
            assertThat(server.patches()).hasSize(1);
        }
    }
}
