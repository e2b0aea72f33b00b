package io.bucketwright.cosi.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.proto.csi.NodePublishVolumeRequest;
import io.bucketwright.cosi.proto.csi.VolumeCapability;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSIDriverSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdapterValuesTest {

    private static final Path PODS = Path.of("/var/lib/kubelet/pods");
    private static final Path TARGET = PODS.resolve("uid/volumes/kubernetes.io~csi/bucket/mount");

    @TempDir
    private Path temporary;

    @Test
    void theCsiDriverOfTheDocumentIsFine() {
        assertThat(CsiDriverValidator.violations(driver(_ -> {}))).isEmpty();
    }

    static Stream<Consumer<CSIDriverSpec>> deviations() {
        return Stream.of(
                spec -> spec.setVolumeLifecycleModes(List.of("Ephemeral", "Persistent")),
                spec -> spec.setVolumeLifecycleModes(List.of()),
                spec -> spec.setPodInfoOnMount(false),
                spec -> spec.setPodInfoOnMount(null),
                spec -> spec.setAttachRequired(true),
                spec -> spec.setRequiresRepublish(false),
                spec -> spec.setFsGroupPolicy("None"));
    }

    @ParameterizedTest
    @MethodSource("deviations")
    void anyOtherIsRefused(Consumer<CSIDriverSpec> deviation) {
        assertThat(CsiDriverValidator.violations(driver(deviation))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "relative/path",
                "/etc",
                "/var/lib/kubelet/pods",
                "/var/lib/kubelet/pods/uid/volumes",
                "/var/lib/kubelet/pods/../../../../etc/a/b/c/d/e",
                "/var/lib/kubelet/pods/uid/volumes/kubernetes.io~csi/bucket/../../../../../../../etc",
                "/var/lib/kubelet/pods/uid/volumes/kubernetes.io~csi/bucket",
                "/var/lib/kubelet/pods/uid/volumes/kubernetes.io~csi/bucket/mount/inside",
                "/var/lib/kubelet/pods/uid/volumes/kubernetes.io~csi/bucket/other",
                "/var/lib/kubelet/pods/uid/volumes/kubernetes.io~empty-dir/bucket/mount",
                "/var/lib/kubelet/pods/uid//volumes/kubernetes.io~csi/bucket/mount",
                "/var/lib/kubelet/pods-other/uid/volumes/kubernetes.io~csi/bucket/mount",
            })
    void aTargetAnywhereElseIsRefused(String target) {
        assertThatThrownBy(() -> TargetPath.of(target, PODS)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTargetThroughALinkIsRefused() throws IOException {
        Path pods = Files.createDirectories(temporary.toRealPath().resolve("pods"));
        Path elsewhere = Files.createDirectories(temporary.toRealPath().resolve("elsewhere"));
        Files.createSymbolicLink(pods.resolve("uid"), elsewhere);
        String target =
                pods.resolve("uid/volumes/kubernetes.io~csi/bucket/mount").toString();
        assertThatThrownBy(() -> TargetPath.of(target, pods))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("link");
    }

    @Test
    void aWholeRequestIsUnderstoodAndItsSecretsAreNotShown() {
        PublishRequest publication = PublishRequest.of(request(_ -> {}), PODS);
        assertThat(publication.shownName()).isEqualTo("team/photos");
        assertThat(publication.target().pod()).isEqualTo("uid");
        assertThat(publication.target().volume()).isEqualTo("bucket");
        assertThat(publication.group()).isEqualTo(OptionalInt.of(2000));
        assertThat(publication.toString()).doesNotContain("hunter2");
    }

    static Stream<Consumer<NodePublishVolumeRequest.Builder>> wrongRequests() {
        return Stream.of(
                it -> it.removeVolumeContext("csi.storage.k8s.io/ephemeral"),
                it -> it.setReadonly(false),
                it -> it.removeVolumeContext("csi.storage.k8s.io/pod.namespace"),
                it -> it.removeVolumeContext("csi.storage.k8s.io/pod.name"),
                it -> it.removeVolumeContext("bucketAccessRequestName"),
                it -> it.putVolumeContext("bucketAccessRequestName", "../other/photos"),
                it -> it.setTargetPath("/etc"),
                it -> it.setVolumeCapability(
                        VolumeCapability.newBuilder().setBlock(VolumeCapability.BlockVolume.getDefaultInstance())),
                it -> it.setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.newBuilder().setVolumeMountGroup("wheel"))));
    }

    @ParameterizedTest
    @MethodSource("wrongRequests")
    void anythingMissingOrWrongIsRefused(Consumer<NodePublishVolumeRequest.Builder> change) {
        assertThatThrownBy(() -> PublishRequest.of(request(change), PODS)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theFileNamesTheProtocolOfTheCredentials() {
        String serviceAccount = json(Map.of("GOOGLE_CLOUD_PROJECT", "p", "GOOGLE_SERVICE_ACCOUNT_JSON", "{}"));
        assertThat(serviceAccount).contains("\"protocols\":[\"GCS\"]", "\"secretS3\":null", "\"serviceAccountJson\":");
        String hmac = json(Map.of("GOOGLE_CLOUD_PROJECT", "p", "AWS_ACCESS_KEY_ID", "id"));
        assertThat(hmac).contains("\"protocols\":[\"S3\"]", "\"secretGcs\":null");
    }

    private static String json(Map<String, String> secrets) {
        byte[] file = BucketInfo.files("photos", secrets).getOrDefault("BucketInfo.json", new byte[0]);
        return new String(file, StandardCharsets.UTF_8);
    }

    @Test
    void theFilesAreTheSecretsKeysAndOneWithAllOfIt() {
        Map<String, byte[]> files = BucketInfo.files(
                "photos",
                Map.of(
                        "BUCKET_NAME", "photos-1",
                        "BUCKET_ENDPOINT", "http://store.test",
                        "BUCKET_REGION", "north",
                        "AWS_ACCESS_KEY_ID", "id",
                        "AWS_SECRET_ACCESS_KEY", "key"));
        assertThat(files)
                .containsOnlyKeys(
                        "BUCKET_NAME",
                        "BUCKET_ENDPOINT",
                        "BUCKET_REGION",
                        "AWS_ACCESS_KEY_ID",
                        "AWS_SECRET_ACCESS_KEY",
                        "BucketInfo.json");
        assertThat(new String(files.getOrDefault("BucketInfo.json", new byte[0]), StandardCharsets.UTF_8))
                .contains("\"bucketName\":\"photos-1\"")
                .contains("\"accessKeyID\":\"id\"")
                .contains("\"secretAzure\":null")
                .contains("\"protocols\":[\"S3\"]");
        assertThatThrownBy(() -> BucketInfo.files("photos", Map.of("../evil", "x")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BucketInfo.files("photos", Map.of("..data", "x")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static NodePublishVolumeRequest request(Consumer<NodePublishVolumeRequest.Builder> change) {
        NodePublishVolumeRequest.Builder builder = AdapterSamples.publish(TARGET, "team", "hunter2");
        change.accept(builder);
        return builder.build();
    }

    private static CSIDriver driver(Consumer<CSIDriverSpec> deviation) {
        CSIDriver driver = AdapterSamples.csiDriver(CosiAdapter.DRIVER);
        deviation.accept(driver.getSpec());
        return driver;
    }
}
