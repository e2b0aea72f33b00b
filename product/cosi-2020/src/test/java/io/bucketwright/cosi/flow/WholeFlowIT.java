package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.cosi.fixture.CosiFixture;
import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.sidecar.SidecarFixture;
import io.bucketwright.cosi.transfer.NamespaceUids;
import io.bucketwright.local.AddOn;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The two requests of a user through controller, sidecar and driver to a real store, and back. */
@OnCluster(with = AddOn.S3, named = "controllers")
@ResourceLock("COSI objects of all namespaces")
@Order(9)
class WholeFlowIT {

    @TempDir
    private Path folder;

    @Test
    void aUsersRequestsBecomeABucketInTwelveWritesAndNoReadAndNothingIsLeftAfterwards(TestCluster cluster)
            throws InterruptedException {
        ApiUser central = cluster.user("cosi");
        ApiUser beside = SidecarFixture.deployed(cluster, "sidecar");
        try (Flow flow = new Flow(cluster, folder)) {
            String bucketClass = flow.bucketClass();
            String accessClass = flow.accessClass();
            flow.controller(central);
            flow.sidecar(beside);
            flow.awaitSettled();
            RequestCounts controllerBefore = cluster.requests(central);
            RequestCounts sidecarBefore = cluster.requests(beside);
            flow.bind("photos", "photos", bucketClass, accessClass);
            Eventually.await("the Bucket to be Bound")
                    .until(() -> flow.buckets().getFirst().phase() == BucketPhase.BOUND);
            flow.awaitSettled();
            RequestCounts ofController =
                    cluster.requests(central).since(controllerBefore).within(flow.namespace(), cluster.namespace());
            RequestCounts ofSidecar = cluster.requests(beside).since(sidecarBefore);
            assertThat(ofController.writes() + ofSidecar.writes())
                    .as("controller %s, sidecar %s", ofController, ofSidecar)
                    .isLessThanOrEqualTo(14)
                    .isEqualTo(12);
            assertThat(ofController.reads() + ofSidecar.reads()).isZero();
            Set<String> objects = Stream.of(
                            flow.bucketOf("photos"),
                            flow.accessOf("photos"),
                            CosiFixture.existing(flow.request("photos")),
                            CosiFixture.existing(flow.accessRequest("photos")))
                    .map(object -> object.getMetadata().getUid())
                    .collect(Collectors.toSet());
            Eventually.await("the events").until(() -> events(flow, objects).size() >= 2);
            flow.awaitSettled();
            assertThat(events(flow, objects))
                    .as("one for each object of the tenant; with the writes, 14 requests")
                    .containsExactlyInAnyOrder("BucketAccessRequest Bound", "BucketRequest Bound");

            Map<String, String> credentials = flow.credentials("photos");
            String bucket = credentials.getOrDefault("BUCKET_NAME", "");
            Bucket object = flow.buckets().getFirst();
            assertThat(object.getSpec().protocol().bucketName()).isEqualTo(bucket);
            try (S3Client application = S3Store.application(credentials)) {
                application.putObject(it -> it.bucket(bucket).key("hello"), RequestBody.fromString("world"));
                assertThat(application
                                .getObjectAsBytes(it -> it.bucket(bucket).key("hello"))
                                .asUtf8String())
                        .isEqualTo("world");
            }

            rotates(flow, credentials, bucket);

            flow.deleteBoth("photos", "photos");
            Eventually.await("the deletion of everything")
                    .until(() -> flow.buckets().isEmpty()
                            && flow.accesses().isEmpty()
                            && flow.provisionerSecrets().isEmpty()
                            && flow.credentials("photos").isEmpty());
            try (S3Client administrator = flow.administrator()) {
                assertThat(administrator.listBuckets().buckets())
                        .noneMatch(it -> it.name().equals(bucket));
            }
            flow.awaitSettled();
            assertThat(events(flow, objects))
                    .as("one for each object and outcome")
                    .contains("BucketAccess AccessRotated")
                    .doesNotHaveDuplicates();
            RequestCounts later = cluster.requests(beside);
            assertThat(later.reads()).as(later.toString()).isZero();
        }
    }

    /** Follows docs/backup-and-restore.md. */
    @Test
    void bucketsThatAreRestoredInAnotherClusterAreTransferredAtAnAdministratorsRequestOnly(TestCluster cluster) {
        ApiUser central = cluster.user("restored-cosi");
        ApiUser beside = SidecarFixture.deployed(cluster, "restored-sidecar");
        try (Flow flow = new Flow(cluster, folder)) {
            String bucketClass = flow.bucketClass();
            String accessClass = flow.accessClass();
            ControllerProcess controller = flow.controller(central);
            ControllerProcess sidecar = flow.sidecar(beside);
            flow.bind("photos", "photos", bucketClass, accessClass);
            Bucket bucket = flow.bucketOf("photos");
            BucketAccess access = flow.accessOf("photos");
            BucketRequest request = flow.awaitBound("photos");
            BucketAccessRequest accessRequest = flow.awaitAccess("photos");
            controller.close();
            sidecar.close();
            // The cluster loses everything; the store keeps it.
            List<HasMetadata> lost = new ArrayList<>(flow.provisionerSecrets());
            lost.addAll(List.of(CosiFixture.existing(flow.secret("photos")), accessRequest, request, access, bucket));
            lost.forEach(cluster::forceDelete);
            Map<String, String> former = flow.moveTo("former-cluster", bucket, access);
            write(former, "from the former cluster");

            bucket.setSpec(Specs.with(
                    bucket.getSpec(),
                    "permittedNamespaces",
                    List.of(new PermittedNamespace(flow.namespace(), "uid-in-the-former-cluster"))));
            Stream.of(bucket, access, request, accessRequest)
                    .forEach(backup -> flow.admin().resource(exported(backup)).create());
            flow.controller(central);
            flow.sidecar(beside);
            flow.await("photos", BucketRequestPhase.NAMESPACE_NOT_PERMITTED);
            Eventually.await("the reason why the former account is not revoked")
                    .until(() -> ProvisionerReport.of(flow.accesses().getFirst())
                            .filter(report -> report.message().contains("belongs to another cluster"))
                            .isPresent());
            flow.transfer("a-third-cluster");
            Eventually.await("the reason why the bucket is not transferred")
                    .until(() -> flow.buckets().getFirst().status().message().contains("belongs to another cluster"));
            assertThat(read(former)).isEqualTo("from the former cluster");
            assertThat(flow.buckets().getFirst().getSpec().permittedNamespaces())
                    .as("nothing is permitted before the store has proved the transfer")
                    .containsExactly(new PermittedNamespace(flow.namespace(), "uid-in-the-former-cluster"));

            assertThat(flow.transfer("former-cluster"))
                    .containsExactly(bucket.getMetadata().getName());
            flow.awaitBound("photos");
            flow.awaitAccess("photos");
            assertThat(flow.buckets().getFirst().getMetadata().getAnnotations())
                    .containsEntry(CosiNames.TRANSFERRED_FROM, "former-cluster")
                    .doesNotContainKeys(CosiNames.TRANSFER_FROM, NamespaceUids.ANNOTATION);
            assertThat(flow.buckets().getFirst().getSpec().permittedNamespaces())
                    .containsExactly(flow.permitted(flow.namespace()));
            assertThat(read(flow.credentials("photos"))).isEqualTo("from the former cluster");
            assertThatThrownBy(() -> read(former)).isInstanceOf(S3Exception.class);
            assertThat(flow.transfer("former-cluster")).isEmpty();

            flow.deleteBoth("photos", "photos");
            Eventually.await("the deletion of the Bucket")
                    .until(() -> flow.buckets().isEmpty());
            try (S3Client administrator = flow.administrator()) {
                String name = bucket.getSpec().protocol().bucketName();
                assertThat(administrator.listBuckets().buckets())
                        .noneMatch(it -> it.name().equals(name));
            }
        }
    }

    @Test
    void aBucketThatThisClusterReleasedIsNotTransferredAndPermitsNoNamespaceThatWasCreatedAgain(TestCluster cluster) {
        ApiUser central = cluster.user("released-cosi");
        ApiUser beside = SidecarFixture.deployed(cluster, "released-sidecar");
        try (Flow flow = new Flow(cluster, folder)) {
            flow.controller(central);
            flow.sidecar(beside);
            flow.bind("photos", "photos", flow.bucketClass(), flow.accessClass());
            flow.awaitBound("photos");
            List<PermittedNamespace> deleted =
                    List.of(new PermittedNamespace(flow.namespace(), "uid-of-the-deleted-namespace"));
            flow.edit(
                    flow.bucketOf("photos"),
                    bucket -> bucket.setSpec(
                            Specs.with(bucket.getSpec(), "releasePolicy", "Retain", "permittedNamespaces", deleted)));
            flow.deleteBoth("photos", "photos");
            Eventually.await("the release of the Bucket")
                    .until(() -> flow.buckets().getFirst().phase() == BucketPhase.RELEASED);
            Bucket released = flow.buckets().getFirst();

            assertThat(flow.transfer("former-cluster"))
                    .containsExactly(released.getMetadata().getName());
            Eventually.await("the rejection of the transfer")
                    .until(() -> !flow.buckets()
                            .getFirst()
                            .getMetadata()
                            .getAnnotations()
                            .containsKey(CosiNames.TRANSFER_FROM));
            flow.awaitSettled();
            Bucket rejected = flow.buckets().getFirst();
            assertThat(rejected.getSpec()).isEqualTo(released.getSpec());
            assertThat(rejected.getMetadata().getAnnotations())
                    .isEqualTo(released.getMetadata().getAnnotations());
            assertThat(events(flow, Set.of(rejected.getMetadata().getUid())))
                    .doesNotContain("Bucket BucketTransferred");
        }
    }

    /** As Velero restores it: names, labels, annotations, finalizers and spec; no uid and no status. */
    private static HasMetadata exported(CustomResource<?, ?> object) {
        ObjectMeta metadata = object.getMetadata();
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withLabels(metadata.getLabels())
                .withAnnotations(metadata.getAnnotations())
                .withFinalizers(metadata.getFinalizers())
                .build());
        object.setStatus(null);
        return object;
    }

    private static void write(Map<String, String> credentials, String content) {
        try (S3Client application = S3Store.application(credentials)) {
            application.putObject(
                    it -> it.bucket(credentials.getOrDefault("BUCKET_NAME", "")).key("hello"),
                    RequestBody.fromString(content));
        }
    }

    private static String read(Map<String, String> credentials) {
        try (S3Client application = S3Store.application(credentials)) {
            return application
                    .getObjectAsBytes(it -> it.bucket(credentials.getOrDefault("BUCKET_NAME", ""))
                            .key("hello"))
                    .asUtf8String();
        }
    }

    /** Kind and reason of each event about these objects; a repeated one counts again. */
    private static List<String> events(Flow flow, Set<String> uids) {
        // Events about cluster-scoped objects are in this namespace.
        return Stream.of(flow.namespace(), "default")
                .flatMap(namespace ->
                        flow.admin().events().v1().events().inNamespace(namespace).list().getItems().stream())
                .filter(event -> uids.contains(
                        Objects.requireNonNullElse(event.getRegarding().getUid(), "")))
                .flatMap(event -> Collections.nCopies(
                        event.getSeries() == null ? 1 : event.getSeries().getCount(),
                        event.getRegarding().getKind() + " " + event.getReason())
                        .stream())
                .toList();
    }

    private static void rotates(Flow flow, Map<String, String> old, String bucket) {
        try (S3Client application = S3Store.application(flow.rotate("photos", old, "AWS_ACCESS_KEY_ID"));
                S3Client former = S3Store.application(old)) {
            assertThat(application
                            .getObjectAsBytes(it -> it.bucket(bucket).key("hello"))
                            .asUtf8String())
                    .isEqualTo("world");
            assertThat(former.getObjectAsBytes(it -> it.bucket(bucket).key("hello"))
                            .asUtf8String())
                    .as("the former keys are valid during the overlap")
                    .isEqualTo("world");
        }
    }
}
