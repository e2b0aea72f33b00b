package io.bucketwright.volumes.releaser;

import static io.bucketwright.testing.Eventually.await;
import static io.bucketwright.volumes.podclaims.VolumeFixture.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.volumes.podclaims.VolumeFixture;
import io.bucketwright.volumes.podclaims.VolumeTestCase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A scrub on a real kubelet: a pod writes and is deleted; the next pod finds no data. */
@OnCluster(with = AddOn.NODE)
@ResourceLock(value = "pod claims of all namespaces", mode = ResourceAccessMode.READ)
class KubeletReleaseIT extends VolumeTestCase {

    private static final Duration START = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    KubeletReleaseIT() {
        super(VolumeFixture::podClaimsUser);
    }

    @Test
    void aScrubbedVolumeIsEmptyForTheSecondPod() throws IOException {
        String storageClass = bench.storageClass("static", ScrubIT.scrubbed(bench));
        String volume = onThisMachine(storageClass);
        bench.provisioner(user);
        bench.releaser(ScrubIT.scrubUser(cluster), builder -> builder.scrubNamespace(bench.namespace()));

        // Files of several owners, hidden files, a directory without permissions, and symbolic links out of the
        // volume.
        run(
                "first",
                "cache-1",
                storageClass,
                "mkdir -p /data/a/b && echo secret > /data/a/b/.key && echo x > /data/.hidden"
                        + " && ln -s /etc /data/link && ln -s / /data/..rooted && chown -R 1234:1234 /data/a"
                        + " && chmod 0500 /data/a/b /data/a && ls -A /data | wc -l");
        assertThat(log("first")).isEqualTo("4");
        bench.deletePod("first");
        await("the volume to be emptied and free")
                .atMost(START)
                .until(() -> bench.reasons("PersistentVolume", volume).contains("Released"));
        bench.awaitPhase(volume, "Available");
        assertThat(ScrubIT.helpers(bench)).isZero();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }

        run("second", "cache-2", storageClass, "ls -A /data | wc -l");
        assertThat(log("second")).isEqualTo("0");
        bench.deletePod("second");
    }

    private String onThisMachine(String storageClass) {
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bench.volume("v", storageClass, object -> {
            object.getSpec().setNodeAffinity(null);
            object.getSpec().getHostPath().setPath(folder.toString());
        });
    }

    private void run(String name, String claim, String storageClass, String command) {
        Pod asking = bench.waiting(name, Map.of("data", claim), Map.of("data", template(storageClass)));
        bench.create(new PodBuilder(asking)
                .editSpec()
                .withNodeSelector(Map.of())
                .withRestartPolicy("Never")
                .withAutomountServiceAccountToken(false)
                .withHostNetwork(true)
                .editFirstContainer()
                .withImage("bucketwright.local/busybox:1")
                .withImagePullPolicy("Never")
                .withCommand("sh", "-c", command)
                .addNewVolumeMount()
                .withName("data")
                .withMountPath("/data")
                .endVolumeMount()
                .endContainer()
                .endSpec()
                .build());
        await(name + " to have run")
                .atMost(START)
                .until(() ->
                        "Succeeded".equals(bench.pod(name).require().getStatus().getPhase()));
    }

    private String log(String name) {
        return bench.pod(name).getLog().strip();
    }
}
