package io.bucketwright.cosi.controller.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The objects of one test with released kinds, and a sidecar by hand: it writes what the one of v0.2.2 does, in its order. */
final class ClaimFixture implements AutoCloseable {

    final TestCluster cluster;
    private final StartedProcesses processes = new StartedProcesses();
    private final List<HasMetadata> created = new ArrayList<>();

    ClaimFixture(TestCluster cluster) {
        this.cluster = cluster;
        cluster.install(Crds.released());
    }

    ControllerProcess controller(ApiUser user) {
        return controller(user, _ -> {});
    }

    ControllerProcess controller(ApiUser user, Consumer<BucketClaimController.Builder> more) {
        BucketClaimController.Builder builder = ClientOptions.config(BucketClaimController.builder(), user.config());
        more.accept(builder);
        return processes.start(builder.build());
    }

    String bucketClass(String policy) {
        ReleasedBucketClass bucketClass = new ReleasedBucketClass();
        bucketClass.setMetadata(named(null, cluster.namespace()));
        bucketClass.setDriverName("driver.test");
        bucketClass.setDeletionPolicy(policy);
        bucketClass.setParameters(Map.of("tier", "gold"));
        return create(bucketClass).getMetadata().getName();
    }

    BucketClaim claim(String name, String bucketClass, String existing) {
        return claim(cluster.namespace(), name, bucketClass, existing);
    }

    BucketClaim claim(String namespace, String name, String bucketClass, String existing) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(named(namespace, name));
        claim.setSpec(new BucketClaimSpec(bucketClass, List.of("S3"), existing));
        return create(claim);
    }

    ReleasedBucketAccess access(String name, String claim) {
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(named(cluster.namespace(), name));
        access.setSpec(new ReleasedAccessSpec(claim, "S3", "any", name, ""));
        return create(access);
    }

    /** A Bucket of an administrator, as the sidecar leaves it. */
    ReleasedBucket existing(String policy, ObjectReference reference) {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(named(null, cluster.namespace() + "-archive"));
        bucket.setSpec(new ReleasedBucketSpec(
                "driver.test", "none", reference, List.of("S3"), Map.of(), policy, "archive-2019"));
        return ready(create(bucket));
    }

    private <T extends HasMetadata> T create(T object) {
        T result = cluster.admin().resource(object).create();
        created.add(result);
        return result;
    }

    @Nullable
    BucketClaim find(String name) {
        return cluster.admin()
                .resources(BucketClaim.class)
                .inNamespace(cluster.namespace())
                .withName(name)
                .get();
    }

    BucketClaim get(String name) {
        return Objects.requireNonNull(find(name));
    }

    @Nullable
    ReleasedBucket findBucket(String name) {
        return cluster.admin().resources(ReleasedBucket.class).withName(name).get();
    }

    /** Waits for the Bucket of the claim. */
    ReleasedBucket bucketOf(BucketClaim claim) {
        String name = ReleasedNames.bucketOf(claim.getMetadata().getUid());
        Eventually.await("Bucket " + name).until(() -> findBucket(name) != null);
        ReleasedBucket bucket = Objects.requireNonNull(findBucket(name));
        created.add(bucket);
        return bucket;
    }

    BucketClaim awaitReady(String name) {
        Eventually.await(name + " to be ready").until(() -> get(name).status().bucketReady());
        return get(name);
    }

    void awaitDeleted(String name) {
        Eventually.await("the deletion of " + name).until(() -> find(name) == null);
    }

    void awaitEvent(String object, String reason, String text) {
        Eventually.await(reason + " on " + object)
                .untilAsserted(
                        () -> assertThat(cluster.events(object, reason)).anyMatch(message -> message.contains(text)));
    }

    void delete(HasMetadata object) {
        cluster.admin().resource(object).delete();
    }

    /** Makes the claim ready, then the Bucket. */
    ReleasedBucket provision(BucketClaim claim) {
        ReleasedBucket bucket = bucketOf(claim);
        setReady(claim, true);
        return ready(bucket);
    }

    void setReady(BucketClaim claim, boolean ready) {
        cluster.editStatus(
                claim,
                current -> current.setStatus(
                        new BucketClaimStatus(ready, current.status().bucketName())));
    }

    ReleasedBucket ready(ReleasedBucket bucket) {
        cluster.edit(bucket, current -> current.getMetadata().setFinalizers(List.of(ReleasedNames.BUCKET_FINALIZER)));
        return cluster.editStatus(
                bucket,
                current -> current.setStatus(
                        new ReleasedBucketStatus(true, current.getMetadata().getName())));
    }

    /** Waits until the Bucket is deleted, then removes the finalizers of claim and Bucket. */
    void deprovision(BucketClaim claim) {
        ReleasedBucket bucket = bucketOf(claim);
        Eventually.await("the deletion of the Bucket")
                .until(() -> isBeingDeleted(bucket.getMetadata().getName()));
        cluster.removeFinalizers(claim);
        cluster.removeFinalizers(bucket);
    }

    boolean isBeingDeleted(String bucket) {
        return Optional.ofNullable(findBucket(bucket))
                .map(found -> found.getMetadata().getDeletionTimestamp())
                .isPresent();
    }

    /** Waits until the controller has handled everything that was written to claims before. */
    void awaitSettled() {
        String name = Sentinel.newName();
        BucketClaim sentinel = claim(name, "", "");
        Eventually.await("the sentinel")
                .until(() -> !cluster.events(name, "FailedCreateBucket").isEmpty());
        delete(sentinel);
    }

    private static ObjectMeta named(@Nullable String namespace, String name) {
        return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
    }

    @Override
    public void close() {
        processes.close();
        created.reversed().forEach(cluster::forceDelete);
    }
}
