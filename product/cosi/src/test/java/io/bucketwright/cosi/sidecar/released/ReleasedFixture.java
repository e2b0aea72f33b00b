package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Objects of released kinds for one driver, and sidecars that serve it. The fixture does what the reference's controller does,
 * in its order, so that a test has no second half of ours.
 */
public final class ReleasedFixture implements AutoCloseable {

    /** What the roles of vendors allow a sidecar: neither patches nor a watch of Secrets. */
    public static ApiUser vendorUser(TestCluster cluster, String name) {
        return cluster.user(
                name,
                List.of(
                        TestCluster.rule(
                                ReleasedNames.GROUP,
                                List.of(
                                        "buckets",
                                        "buckets/status",
                                        "bucketclaims",
                                        "bucketclaims/status",
                                        "bucketaccesses",
                                        "bucketaccesses/status",
                                        "bucketaccessclasses"),
                                "get",
                                "list",
                                "watch",
                                "create",
                                "update",
                                "delete"),
                        TestCluster.rule("", List.of("secrets"), "get", "create", "update", "delete"),
                        TestCluster.rule("events.k8s.io", List.of("events"), "create", "patch"),
                        TestCluster.rule("coordination.k8s.io", List.of("leases"), "get", "create", "update")));
    }

    /** Many drivers answer with an error for what does not exist; a test does not wait for minutes. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    public final TestCluster cluster;
    public final ApiUser user;
    public final String driverName;
    private final StartedProcesses processes = new StartedProcesses();
    private final List<HasMetadata> made = new ArrayList<>();

    public ReleasedFixture(TestCluster cluster, ApiUser user, String driverName) {
        this.cluster = cluster;
        this.user = user;
        this.driverName = driverName;
        cluster.install(Crds.released());
    }

    /** Starts a sidecar; options after the endpoint. */
    public ControllerProcess sidecar(String endpoint, Consumer<ReleasedSidecar.Builder> more) {
        ReleasedSidecar.Builder builder = ClientOptions.config(ReleasedSidecar.builder(), user.config())
                .driverName(driverName)
                .driver(endpoint)
                .patience(PATIENCE);
        more.accept(builder);
        return start(builder.build());
    }

    /** Starts a sidecar that the fixture closes. */
    public ControllerProcess start(ControllerProcess sidecar) {
        return processes.start(sidecar);
    }

    public ControllerProcess sidecar(String endpoint) {
        return sidecar(endpoint, _ -> {});
    }

    public void stopSidecars() {
        processes.close();
    }

    /** A claim that the controller has not seen yet. */
    public BucketClaim unboundClaim(String name) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName(name)
                .build());
        claim.setSpec(new BucketClaimSpec("photos", List.of("S3"), ""));
        return create(claim);
    }

    /** A claim with the state in which the reference's controller leaves it, and its Bucket. */
    public BucketClaim claim(String name, Map<String, String> parameters, String deletionPolicy) {
        BucketClaim created = unboundClaim(name);
        bucket(
                bucketName(created),
                new ReleasedBucketSpec(
                        driverName, "photos", reference(created), List.of("S3"), parameters, deletionPolicy, ""));
        bind(created, bucketName(created));
        return require(created);
    }

    public BucketClaim claim(String name) {
        return claim(name, Map.of(), "Delete");
    }

    /** The claim's status and finalizer, as the controller writes them. */
    public void bind(BucketClaim claim, String bucketName) {
        cluster.editStatus(claim, current -> current.setStatus(new BucketClaimStatus(false, bucketName)));
        cluster.edit(claim, current -> current.getMetadata().setFinalizers(List.of(ReleasedNames.CLAIM_FINALIZER)));
    }

    public ReleasedBucket bucket(String name, ReleasedBucketSpec spec) {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
        bucket.setSpec(spec);
        return create(bucket);
    }

    public static ObjectReference reference(BucketClaim claim) {
        return new ObjectReferenceBuilder()
                .withNamespace(claim.getMetadata().getNamespace())
                .withName(claim.getMetadata().getName())
                .withUid(claim.getMetadata().getUid())
                .build();
    }

    public static String bucketName(BucketClaim claim) {
        return ReleasedNames.bucketOf(claim.getMetadata().getUid());
    }

    /** A class of accesses; its name is that of the namespace and this one. */
    public ReleasedBucketAccessClass accessClass(String name, String driver, Map<String, String> parameters) {
        ReleasedBucketAccessClass accessClass = new ReleasedBucketAccessClass();
        accessClass.setMetadata(new ObjectMetaBuilder()
                .withName(cluster.namespace() + "-" + name)
                .build());
        accessClass.setDriverName(driver);
        accessClass.setAuthenticationType("Key");
        accessClass.setParameters(parameters);
        return create(accessClass);
    }

    public ReleasedBucketAccess access(String name, String claim, String accessClass) {
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName(name)
                .build());
        access.setSpec(new ReleasedAccessSpec(
                claim, "S3", cluster.namespace() + "-" + accessClass, name + "-credentials", ""));
        return create(access);
    }

    private <T extends HasMetadata> T create(T object) {
        T created = cluster.admin().resource(object).create();
        made.add(created);
        return created;
    }

    /** The object as it is on the API server now. */
    public <T extends HasMetadata> T require(T object) {
        return cluster.admin().resource(object).require();
    }

    public boolean exists(HasMetadata object) {
        return cluster.admin().resource(object).get() != null;
    }

    public ReleasedBucket bucketOf(BucketClaim claim) {
        return cluster.admin()
                .resources(ReleasedBucket.class)
                .withName(bucketName(claim))
                .require();
    }

    /** The Bucket of the claim as the fixture created it. */
    public HasMetadata made(BucketClaim claim) {
        return made.stream()
                .filter(object -> name(object).equals(bucketName(claim)))
                .findFirst()
                .orElseThrow();
    }

    public @Nullable Secret secretOf(ReleasedBucketAccess access) {
        if (access.spec().credentialsSecretName().isEmpty()) {
            return null;
        }
        return cluster.admin()
                .secrets()
                .inNamespace(access.getMetadata().getNamespace())
                .withName(access.spec().credentialsSecretName())
                .get();
    }

    /** The decoded BucketInfo; empty if there is no Secret. */
    public String infoOf(ReleasedBucketAccess access) {
        return Optional.ofNullable(secretOf(access))
                .map(secret -> TestCluster.decoded(secret).getOrDefault(ReleasedNames.BUCKET_INFO, ""))
                .orElse("");
    }

    public void awaitReady(BucketClaim claim) {
        await("claim " + name(claim))
                .until(() -> require(claim).status().bucketReady()
                        && bucketOf(claim).status().bucketReady());
    }

    public ReleasedBucketAccess awaitGranted(ReleasedBucketAccess access) {
        await("access " + name(access)).until(() -> require(access).status().accessGranted());
        return require(access);
    }

    /** A class of accesses that revokes the previous credentials after this time. */
    public ReleasedBucketAccessClass rotatingClass(String name, Map<String, String> parameters, String overlap) {
        ReleasedBucketAccessClass accessClass = accessClass(name, driverName, parameters);
        cluster.edit(
                accessClass,
                current -> current.getMetadata().setAnnotations(Map.of(ReleasedNames.ROTATION_OVERLAP, overlap)));
        return accessClass;
    }

    /** Requests a rotation that is due. */
    public void rotate(ReleasedBucketAccess access, String at) {
        cluster.edit(access, current -> {
            Map<String, String> annotations = new HashMap<>(Metadata.annotations(current));
            annotations.put(CosiNames.ROTATE_AT, at);
            current.getMetadata().setAnnotations(annotations);
        });
    }

    public void delete(HasMetadata object) {
        cluster.admin().resource(object).delete();
    }

    /** Deletes the claim, and then its Bucket as the reference's controller does. */
    public void deleteClaim(BucketClaim claim) {
        delete(claim);
        cluster.admin()
                .resources(ReleasedBucket.class)
                .withName(bucketName(claim))
                .delete();
    }

    public void awaitDeleted(HasMetadata object) {
        await(name(object) + " to be deleted").until(() -> !exists(object));
    }

    public List<String> events(HasMetadata object) {
        return cluster.admin().events().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> object.getMetadata()
                        .getUid()
                        .equals(event.getRegarding().getUid()))
                .map(ReleasedFixture::text)
                .toList();
    }

    private static String text(Event event) {
        return event.getReason() + ": " + event.getNote();
    }

    public void awaitEvent(HasMetadata object, String part) {
        await(name(object) + " to report " + part)
                .until(() -> events(object).stream().anyMatch(event -> event.contains(part)));
    }

    public static ConditionFactory await(String what) {
        return Eventually.await(what);
    }

    /** Waits until both controllers have seen everything that was written before, and sent its events. */
    public void awaitSettled() {
        ReleasedBucket bucket = bucket(
                Sentinel.newName(),
                new ReleasedBucketSpec(
                        driverName, "none", new ObjectReference(), List.of(), Map.of(), "Retain", "sentinel"));
        ReleasedBucketAccessClass accessClass = accessClass(Sentinel.newName(), driverName, Map.of());
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName(Sentinel.newName())
                .build());
        access.setSpec(
                new ReleasedAccessSpec("none", "", accessClass.getMetadata().getName(), "", ""));
        ReleasedBucketAccess rejected = create(access);
        await("the sentinels")
                .until(() -> require(bucket).status().bucketReady()
                        && !events(rejected).isEmpty());
        delete(rejected);
        delete(bucket);
        awaitDeleted(bucket);
    }

    @Override
    public void close() {
        processes.close();
        // No sidecar is left that removes the finalizers.
        made.reversed().forEach(object -> {
            cluster.forceDelete(object);
            if (object instanceof ReleasedBucketAccess access) {
                Optional.ofNullable(secretOf(access)).ifPresent(cluster::forceDelete);
            }
        });
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}
