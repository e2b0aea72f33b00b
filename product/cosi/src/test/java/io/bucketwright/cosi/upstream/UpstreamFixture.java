package io.bucketwright.cosi.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.api.Crds;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.controller.claims.BucketClaimController;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.cosi.sidecar.released.ReleasedSidecar;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Our driver over a real S3 store at a socket, and the released objects of one test. */
final class UpstreamFixture implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final TestCluster cluster;
    private final String driverName;
    private final S3Store store;
    private final CosiDriver driver;
    private final SocketServer server;
    private final List<HasMetadata> classes = new ArrayList<>();
    private final StartedProcesses processes = new StartedProcesses();

    UpstreamFixture(TestCluster cluster, Path folder) {
        this.cluster = cluster;
        this.driverName = cluster.namespace() + ".test";
        this.store = new S3Store(cluster.local().s3().orElseThrow());
        this.driver = new CosiDriver(
                new DriverSettings(driverName, "s3", store.parameters()),
                Stores.installed(),
                () -> new AdministratorSecret(store.secrets()));
        this.server = SocketServer.start(new SocketPath(folder.resolve("cosi.sock")), driver.services());
        cluster.install(Crds.released());
    }

    String socket() {
        return server.socket().toString();
    }

    String driverName() {
        return driverName;
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    /** Our controller. */
    ControllerProcess startController(ApiUser user) {
        return processes.start(ClientOptions.config(BucketClaimController.builder(), user.config())
                .build());
    }

    /** Our sidecar. */
    ControllerProcess startSidecar(ApiUser user) {
        return processes.start(ClientOptions.config(ReleasedSidecar.builder(), user.config())
                .driverName(driverName)
                .driver(socket())
                // The first call loads the client of the store; on a busy machine that takes more than the default.
                .driverTimeout(Duration.ofMinutes(1))
                .build());
    }

    void apply(String yaml) {
        admin().load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> {
                    HasMetadata made = admin().resource(object).create();
                    if (made.getKind().endsWith("Class")) {
                        classes.add(made);
                    }
                });
    }

    /** A BucketClass of this test's driver. */
    String bucketClass(String deletionPolicy) {
        ReleasedBucketClass made = new ReleasedBucketClass();
        made.setMetadata(new ObjectMetaBuilder()
                .withName(cluster.namespace() + "-" + deletionPolicy.toLowerCase(Locale.ROOT))
                .build());
        made.setDriverName(driverName);
        made.setDeletionPolicy(deletionPolicy);
        made.setParameters(Map.of("onNotEmpty", "purge"));
        return createClass(made);
    }

    String accessClass() {
        ReleasedBucketAccessClass made = new ReleasedBucketAccessClass();
        made.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace() + "-key").build());
        made.setDriverName(driverName);
        made.setAuthenticationType("Key");
        return createClass(made);
    }

    BucketClaim claim(String name, String bucketClass) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(named(name).build());
        claim.setSpec(new BucketClaimSpec(bucketClass, List.of("S3"), ""));
        return admin().resource(claim).create();
    }

    /** An access whose Secret has its name. */
    ReleasedBucketAccess access(String name, String claim, String accessClass) {
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(named(name).build());
        access.setSpec(new ReleasedAccessSpec(claim, "S3", accessClass, name, ""));
        return admin().resource(access).create();
    }

    BucketClaim claimed(String name) {
        return Objects.requireNonNull(get(BucketClaim.class, name), name);
    }

    ReleasedBucketAccess accessed(String name) {
        return Objects.requireNonNull(get(ReleasedBucketAccess.class, name), name);
    }

    Secret secret(String name) {
        return Objects.requireNonNull(get(Secret.class, name), name);
    }

    ReleasedBucket bucketOf(String claim) {
        String name = bucketName(claimed(claim));
        return Optional.ofNullable(
                        admin().resources(ReleasedBucket.class).withName(name).get())
                .orElseThrow(() -> new AssertionError("there is no Bucket " + name));
    }

    /** Waits until claim and Bucket are ready. */
    void awaitReady(String claim) {
        Eventually.await(claim + " to be ready").untilAsserted(() -> {
            assertThat(claimed(claim).status()).isEqualTo(complete(claimed(claim)));
            assertThat(bucketOf(claim).status().bucketReady()).as("Bucket").isTrue();
        });
    }

    /**
     * Waits until a claim and a Bucket of the reference are complete. Its controller may write the status that it has read
     * before the sidecar wrote its own, and after a conflict it asks for a claim without a name and ends there, before it has
     * written the name of the Bucket or the finalizer. Nobody repairs that: then this does.
     */
    void awaitReadyBy(UpstreamCosi reference, String claim) {
        Eventually.await(claim + " to be ready").untilAsserted(() -> {
            assertThat(bucketOf(claim).status().bucketReady())
                    .as(reference::log)
                    .isTrue();
            assertThat(isCompleteOrRepaired(claim)).as("BucketClaim").isTrue();
        });
    }

    private boolean isCompleteOrRepaired(String claim) {
        BucketClaim current = claimed(claim);
        boolean complete = current.status().equals(complete(current))
                && Metadata.hasFinalizer(current, ReleasedNames.CLAIM_FINALIZER);
        if (!complete) {
            cluster.editStatus(current, latest -> latest.setStatus(complete(latest)));
            cluster.edit(current, latest -> latest.addFinalizer(ReleasedNames.CLAIM_FINALIZER));
        }
        return complete;
    }

    private static BucketClaimStatus complete(BucketClaim claim) {
        return new BucketClaimStatus(true, bucketName(claim));
    }

    private static String bucketName(BucketClaim claim) {
        return ReleasedNames.bucketOf(claim.getMetadata().getUid());
    }

    /** The same for an access: the sidecar of the reference does not grant it while the claim is not ready. */
    void awaitGrantedBy(UpstreamCosi reference, String access, String claim) {
        Eventually.await(access + " to be granted").untilAsserted(() -> {
            assertThat(isCompleteOrRepaired(claim)).as("BucketClaim").isTrue();
            assertThat(accessed(access).status().accessGranted())
                    .as(reference::log)
                    .isTrue();
        });
    }

    void awaitGranted(String access) {
        Eventually.await(access + " to be granted")
                .until(() -> accessed(access).status().accessGranted());
    }

    void delete(HasMetadata object) {
        admin().resource(object).delete();
    }

    void awaitDeleted(HasMetadata object) {
        Eventually.await(object.getMetadata().getName() + " to be deleted")
                .until(() -> admin().resource(object).get() == null);
    }

    /** Deletes access and claim one after the other, and waits until Bucket, Secret and the bucket no longer exist. */
    void deleteBoth(String claim, String access) {
        ReleasedBucket bucket = bucketOf(claim);
        deleteAccess(access);
        BucketClaim deletedClaim = claimed(claim);
        delete(deletedClaim);
        awaitDeleted(deletedClaim);
        awaitDeleted(bucket);
    }

    /** Deletes an access, and waits until it and its Secret no longer exist. */
    void deleteAccess(String name) {
        Secret secret = secret(name);
        ReleasedBucketAccess access = accessed(name);
        delete(access);
        awaitDeleted(access);
        awaitDeleted(secret);
    }

    /** What the Secret of an access contains: {@code spec} of its BucketInfo. */
    JsonNode bucketInfo(String access) {
        try {
            return JSON.readTree(Objects.requireNonNull(
                            TestCluster.decoded(secret(access)).get(ReleasedNames.BUCKET_INFO)))
                    .path("spec");
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** Writes and reads an object with the keys of an access. */
    void useBucket(String access, String content) {
        JsonNode info = bucketInfo(access);
        String bucket = info.path("bucketName").asText();
        try (S3Client application = application(info)) {
            application.putObject(request -> request.bucket(bucket).key("hello"), RequestBody.fromString(content));
            assertThat(application
                            .getObjectAsBytes(request -> request.bucket(bucket).key("hello"))
                            .asUtf8String())
                    .isEqualTo(content);
        }
    }

    S3Client application(JsonNode info) {
        JsonNode keys = info.path("secretS3");
        return S3Store.application(Map.of(
                "BUCKET_ENDPOINT", keys.path("endpoint").asText(),
                "BUCKET_REGION", keys.path("region").asText(),
                "AWS_ACCESS_KEY_ID", keys.path("accessKeyID").asText(),
                "AWS_SECRET_ACCESS_KEY", keys.path("accessSecretKey").asText()));
    }

    /** The buckets and the users in the store whose names start with this. */
    List<String> inStore(String prefix) {
        List<String> found = new ArrayList<>();
        try (S3Client administrator = store.s3();
                var iam = store.iam()) {
            administrator.listBuckets().buckets().forEach(bucket -> found.add(bucket.name()));
            iam.listUsers().users().forEach(user -> found.add(user.userName()));
        }
        return found.stream().filter(name -> name.startsWith(prefix)).toList();
    }

    @Override
    public void close() {
        processes.close();
        List<HasMetadata> objects = new ArrayList<>();
        for (Class<? extends HasMetadata> type : List.of(ReleasedBucketAccess.class, BucketClaim.class, Secret.class)) {
            objects.addAll(admin().resources(type)
                    .inNamespace(cluster.namespace())
                    .list()
                    .getItems());
        }
        admin().resources(ReleasedBucket.class).list().getItems().stream()
                .filter(bucket -> bucket.spec().driverName().equals(driverName))
                .forEach(objects::add);
        objects.forEach(cluster::forceDelete);
        classes.forEach(this::delete);
        server.close();
        driver.close();
    }

    private String createClass(HasMetadata made) {
        classes.add(admin().resource(made).create());
        return made.getMetadata().getName();
    }

    private ObjectMetaBuilder named(String name) {
        return new ObjectMetaBuilder().withNamespace(cluster.namespace()).withName(name);
    }

    private <T extends HasMetadata> @Nullable T get(Class<T> type, String name) {
        return admin().resources(type)
                .inNamespace(cluster.namespace())
                .withName(name)
                .get();
    }
}
