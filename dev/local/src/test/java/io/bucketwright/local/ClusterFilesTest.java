package io.bucketwright.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.binaries.KubernetesVersion;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.server.Component;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFilesTest {

    @TempDir
    private Path temporary;

    @Test
    void aFolderWithOtherFilesIsRejected() throws IOException {
        Files.writeString(temporary.resolve("thesis.tex"), "");
        assertThatThrownBy(() -> new ClusterFiles(temporary).create())
                .isInstanceOf(LocalClusterException.class)
                .hasMessage(temporary + " has other files in it. Name an empty or a new folder with --dir.");
    }

    @Test
    void onlyTheOwnerCanReadTheFolderBecauseItHoldsKeys() throws IOException {
        Path dir = temporary.resolve("a/b");
        new ClusterFiles(dir).create();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir)))
                .isEqualTo("rwx------");
    }

    @Test
    void aKubeconfigIsWholeForWhoeverReadsItWhileItIsWritten() throws Exception {
        ClusterFiles files = new ClusterFiles(temporary.resolve("cluster"));
        files.create();
        CertificateAuthority authority = CertificateAuthority.create();
        Path file = files.userFile("tester", List.of());
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<String>> readers = Collections.nCopies(
                    4, () -> Files.readString(files.kubeconfig(authority, file, "https://a", "tester", List.of())));
            for (int round = 0; round < 20; round++) {
                for (Future<String> read : threads.invokeAll(readers)) {
                    assertThat(read.get()).contains("server: https://a\n", "client-key-data");
                }
                Files.delete(file);
            }
        }
    }

    @Test
    void theStateIsTheSameWhenReadAgain() {
        ClusterState state = new ClusterState(
                ClusterState.VERSION,
                KubernetesVersion.OLDEST,
                "bucketwright-1",
                Map.of(Component.ETCD, 20_001),
                Set.of(AddOn.S3));
        state.save(temporary);
        assertThat(ClusterState.load(temporary)).isEqualTo(state);
    }

    @Test
    void aStateOfANewerVersionIsRejected() throws IOException {
        Files.writeString(
                temporary.resolve(ClusterState.FILE), "{\"version\":4,\"id\":\"x\",\"ports\":{},\"additions\":[]}");
        assertThatThrownBy(() -> ClusterState.load(temporary))
                .isInstanceOf(LocalClusterException.class)
                .hasMessageContaining("version 4, this one supports 3");
    }

    @Test
    void aDamagedStateIsReported() throws IOException {
        Files.writeString(temporary.resolve(ClusterState.FILE), "{");
        assertThatThrownBy(() -> ClusterState.load(temporary)).hasMessageContaining("cluster.json is damaged");
    }

    @Test
    void usersWithTheSameNameInOtherGroupsAreDifferentFiles() {
        ClusterFiles files = new ClusterFiles(temporary);
        assertThat(files.userFile("a", List.of("b"))).isNotEqualTo(files.userFile("a", List.of("c")));
        assertThat(files.userFile("../../etc/passwd", List.of()).getParent()).isEqualTo(temporary.resolve("users"));
    }

    @Test
    void theApiServerStopsBeforeEtcdAndTheNodeBeforeAll() {
        assertThat(Component.stopOrder())
                .startsWith("node")
                .endsWith("kube-apiserver", "etcd")
                .hasSize(Component.values().length);
    }

    @Test
    void anUnknownAddOnIsRejectedByName() {
        assertThatThrownBy(() -> AddOn.parse("swift"))
                .hasMessage("There is no add-on \"swift\"; there are s3, minio, ceph, azure, gcs, moto, node.");
    }
}
