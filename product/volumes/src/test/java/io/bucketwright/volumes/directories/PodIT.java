package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.testing.OnCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pods on a real kubelet write to their directories with their own uid. */
@OnCluster(with = AddOn.NODE)
class PodIT extends DirectoryTestBase {

    @Test
    void aPodWritesWithItsUidAndItsFilesAreArchivedWithTheVolume() throws Exception {
        // JUnit's temporary directory is not accessible to other users; a root is.
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        DirectoryPods pods = new DirectoryPods(cluster);
        String deleted = bench.storageClass("deleted", Map.of());
        String archived = bench.storageClass(
                "archived",
                Map.of("onDelete", "archive", "defaultOwnerAssetUid", "4242", "defaultOwnerAssetGid", "4242"));
        bench.provisioner();
        bench.claim("own", archived);
        bench.claim("group", deleted, Map.of("storage.asset/owner-uid", "7777", "storage.asset/owner-gid", "5555"));
        create(pods, "writer", 4242, 4242, "own");
        create(pods, "member", 1001, 5555, "group");
        assertThat(pods.awaitSucceeded("writer")).startsWith("by 4242");
        pods.awaitSucceeded("member");
        Path written = bench.directory("own").resolve("writer");
        assertThat(written).hasContent("by 4242\n");
        assertThat(Files.getAttribute(written, "unix:uid")).isEqualTo(4242);
        assertThat(Files.getAttribute(bench.directory("group").resolve("member"), "unix:uid"))
                .isEqualTo(1001);
        // The directory is kept as long as a pod uses it.
        bench.delete("own");
        bench.awaitSettled();
        assertThat(written).exists();
        pods.delete("writer");
        pods.delete("member");
        bench.delete("group");
        bench.awaitDeleted("own");
        bench.awaitDeleted("group");
        bench.awaitEmpty();
        assertThat(bench.archived().resolve("writer")).hasContent("by 4242\n");
    }

    private static void create(DirectoryPods pods, String name, int user, int group, String claim) {
        pods.create(
                name,
                "{}",
                "{runAsUser: %1$s, runAsGroup: %1$s, fsGroup: %2$s}".formatted(user, group),
                claim,
                "echo \"by $(id -u)\" > /data/%1$s && cat /data/%1$s && ls /data".formatted(name));
    }
}
