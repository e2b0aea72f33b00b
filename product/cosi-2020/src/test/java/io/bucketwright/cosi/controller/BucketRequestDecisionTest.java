package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.GcsBucket;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules of a BucketRequest. */
class BucketRequestDecisionTest {

    @Test
    void aNewBucketIsCreatedFromTheClassAndPermitsItsNamespace() {
        World world = new World(ReleasePolicy.DELETE, "friends");
        world.createRequest("team", "photos", "bucketClassName", "fast", "bucketPrefix", "Yosemite-");
        world.settle();
        Bucket bucket = world.bucket("bucket-photos-team").orElseThrow();
        BucketRequest request = photos(world);
        assertThat(bucket.getSpec().protocol().bucketName())
                .isEqualTo("yosemite-" + request.getMetadata().getUid());
        assertThat(bucket.getSpec().permittedNamespaces())
                .containsExactly(world.permitted("friends"), world.permitted("team"));
        assertThat(bucket.getSpec().creator())
                .contains(new BucketRequestRef(
                        "team", "photos", request.getMetadata().getUid()));
        assertThat(bucket.getSpec().releasePolicy()).isEqualTo("Delete");
        assertThat(bucket.getSpec().anonymousAccessMode()).isEqualTo("private");
        assertThat(bucket.getSpec().bucketClassName()).isEqualTo("fast");
        assertThat(request.status().message()).contains("Create a BucketAccessRequest with bucketRequestName photos");
    }

    @Test
    void anAccessThatIsAppliedTogetherIsWaitedForBeforeItsAbsenceIsReported() {
        World world = new World(ReleasePolicy.DELETE);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.controller();
        world.sidecar();
        world.controller();
        int writes = world.writes();
        world.createAccess("team", "viewer", "bucketRequestName", "photos");
        world.controller();
        world.sidecar();
        world.controller();
        assertThat(photos(world).phase()).isEqualTo(BucketRequestPhase.BOUND);
        assertThat(writes).as("finalizer and name, and the Bucket").isEqualTo(2);
    }

    @Test
    void withoutAClassTheDefaultOfTheProtocolIsUsed() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createBucketClass("usual", bucketClass -> bucketClass.setIsDefaultBucketClass(true));
        world.createBucketClass("usual-gcs", bucketClass -> {
            bucketClass.setIsDefaultBucketClass(true);
            bucketClass.setProtocol("gcs");
        });
        world.createRequest("team", "photos");
        world.settle();
        assertThat(world.bucket("bucket-photos-team").orElseThrow().getSpec().bucketClassName())
                .isEqualTo("usual");
    }

    @Test
    void twoDefaultsAreAnErrorUntilOneIsDeleted() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createBucketClass("one", bucketClass -> bucketClass.setIsDefaultBucketClass(true));
        world.createBucketClass("other", bucketClass -> bucketClass.setIsDefaultBucketClass(true));
        world.createRequest("team", "photos");
        world.settle();
        assertRefused(world, BucketRequestPhase.MULTIPLE_DEFAULT_BUCKET_CLASSES, "(one, other)");
        world.delete(world.all(BucketClass.class).stream()
                .filter(bucketClass -> bucketClass.getMetadata().getName().equals("other"))
                .findFirst()
                .orElseThrow());
        world.settle();
        assertThat(world.bucket("bucket-photos-team")).isPresent();
    }

    @Test
    void noDefaultIsAnErrorToo() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createRequest("team", "photos");
        world.settle();
        assertRefused(world, BucketRequestPhase.NO_DEFAULT_BUCKET_CLASS, "No BucketClass is the default for s3");
    }

    @Test
    void aClassMayBeCreatedAfterItsRequest() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createRequest("team", "photos", "bucketClassName", "late");
        world.controller();
        assertThat(photos(world).phase())
                .as("not at once: it may be in the same file")
                .isEqualTo(BucketRequestPhase.CREATING);
        world.pass(Duration.ofSeconds(4));
        world.settle();
        assertRefused(world, BucketRequestPhase.BUCKET_CLASS_NOT_FOUND, "BucketClass late does not exist");
        world.createBucketClass("late", _ -> {});
        world.settle();
        assertThat(world.bucket("bucket-photos-team")).isPresent();
        assertThat(photos(world).phase()).isEqualTo(BucketRequestPhase.CREATING);
    }

    @Test
    void aClassOfAnotherProtocolIsRefusedAndNothingIsCreated() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createBucketClass("google", bucketClass -> bucketClass.setProtocol("gcs"));
        world.createRequest("team", "photos", "bucketClassName", "google");
        world.settle();
        assertRefused(world, BucketRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL, "supports gcs, not s3");
        assertThat(world.all(Bucket.class)).isEmpty();
        assertThat(photos(world).getMetadata().getFinalizers()).isNullOrEmpty();
    }

    @Test
    void anExistingBucketIsBoundOnlyFromPermittedNamespaces() {
        World world = new World(ReleasePolicy.RETAIN);
        existing(world, "shared", world.permitted("team"));
        world.createRequest("team", "photos", "bucketInstanceName", "shared");
        world.createRequest("strangers", "photos", "bucketInstanceName", "shared");
        world.settle();
        assertThat(photos(world).getMetadata().getFinalizers()).containsExactly("cosi.io/finalizer");
        BucketRequest refused = world.request("strangers", "photos").orElseThrow();
        assertThat(refused.phase()).isEqualTo(BucketRequestPhase.NAMESPACE_NOT_PERMITTED);
        assertThat(refused.getMetadata().getFinalizers()).isNullOrEmpty();
    }

    @Test
    void aNamespaceCreatedAgainUnderAPermittedNameIsAnother() {
        World world = new World(ReleasePolicy.RETAIN);
        existing(world, "shared", new PermittedNamespace("team", "uid-of-an-earlier-one"));
        requestShared(world);
        assertRefused(world, BucketRequestPhase.NAMESPACE_NOT_PERMITTED, "add its name and uid");
    }

    @Test
    void anExistingBucketOfAnotherProtocolIsRefused() {
        World world = new World(ReleasePolicy.RETAIN);
        Bucket bucket = existing(world, "shared", world.permitted("team"));
        world.edit(
                bucket,
                latest -> latest.setSpec(Specs.with(
                        latest.getSpec(),
                        "protocol",
                        new BucketProtocol("gcs", null, null, new GcsBucket("old", "", "project", "")))));
        requestShared(world);
        assertRefused(world, BucketRequestPhase.BUCKET_DOES_NOT_SUPPORT_PROTOCOL, "supports gcs, not s3");
    }

    @Test
    void aNamedBucketThatDoesNotExistIsNeverCreated() {
        World world = new World(ReleasePolicy.RETAIN);
        requestShared(world);
        assertRefused(world, BucketRequestPhase.BUCKET_NOT_FOUND, "Bucket shared does not exist");
        existing(world, "shared", world.permitted("team"));
        world.settle();
        assertThat(photos(world).phase()).isEqualTo(BucketRequestPhase.CREATING);
        assertThat(world.created()).isZero();
    }

    @Test
    void anExistingBucketOfTheSameNameIsNotUsed() {
        World world = new World(ReleasePolicy.RETAIN);
        existing(world, "bucket-photos-team", world.permitted("team"));
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.settle();
        String name = photos(world).getSpec().bucketInstanceName();
        assertThat(name).matches("bucket-photos-team-[0-9a-f]{10}");
        assertThat(world.bucket(name).orElseThrow().getSpec().creator()).isPresent();
    }

    @Test
    void aBucketCreatedAtTheSameMomentIsNotAdopted() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.dieAt(1, true);
        world.controller();
        existing(world, "bucket-photos-team", world.permitted("team"));
        world.settle();
        assertRefused(world, BucketRequestPhase.BUCKET_NAME_TAKEN, "create a new one");
    }

    @Test
    void aRestoredRequestWaitsForItsBucketAndGetsNoNewOne() {
        World world = created(ReleasePolicy.DELETE);
        Bucket bucket = world.bucket("bucket-photos-team").orElseThrow();
        BucketRequest request = photos(world);
        world.restore(request);
        setFinalizers(world, photos(world), "cosi.io/finalizer");
        setFinalizers(world, bucket);
        world.delete(bucket);
        world.settle();
        assertThat(world.bucket("bucket-photos-team")).isEmpty();
        assertThat(photos(world).phase()).isEqualTo(BucketRequestPhase.BUCKET_NOT_FOUND);

        existing(world, "bucket-photos-team", world.permitted("team"));
        world.settle();
        assertThat(photos(world).phase()).isEqualTo(BucketRequestPhase.CREATING);
    }

    @Test
    void finalizerAndAnnotationOfATenantGrantNothing() {
        World world = new World(ReleasePolicy.DELETE);
        existing(world, "bucket-photos-team", world.permitted("others"));
        world.createRequest("team", "photos", "bucketInstanceName", "bucket-photos-team");
        BucketRequest request = photos(world);
        setFinalizers(world, request, "cosi.io/finalizer");
        world.annotate(request, CosiMetadata.ORIGIN, CosiMetadata.origin(request));
        world.settle();
        assertThat(photos(world).phase().text()).startsWith("Err");
        delete(world, photos(world));
        assertThat(world.request("team", "photos")).isEmpty();
        assertThat(world.bucket("bucket-photos-team")).isPresent();
    }

    @Test
    void aTenantWhoNamesABucketOfOthersCannotPreventItsDeletion() {
        World world = created(ReleasePolicy.DELETE);
        world.createRequest("strangers", "mine", "bucketInstanceName", "bucket-photos-team");
        world.settle();
        delete(world, photos(world));
        assertThat(world.storeBuckets).isEmpty();
        assertThat(world.bucket("bucket-photos-team")).isEmpty();
    }

    @Test
    void aBucketRemainsAsLongAsAnyRequestSharesIt() {
        World world = created(ReleasePolicy.DELETE, "friends");
        world.createRequest("friends", "photos", "bucketInstanceName", "bucket-photos-team");
        world.settle();
        delete(world, photos(world));
        assertThat(world.request("team", "photos")).isEmpty();
        assertThat(world.storeBuckets).hasSize(1);
        assertNotDeleted(world, "bucket-photos-team");
        delete(world, world.request("friends", "photos").orElseThrow());
        assertThat(world.storeBuckets).isEmpty();
        assertThat(world.bucket("bucket-photos-team")).isEmpty();
    }

    @Test
    void aTenantWhoNamesABucketOfOthersCannotDeleteIt() {
        World world = created(ReleasePolicy.DELETE);
        world.createRequest("strangers", "mine", "bucketInstanceName", "bucket-photos-team");
        setFinalizers(world, world.request("strangers", "mine").orElseThrow(), "cosi.io/finalizer");
        world.settle();
        delete(world, world.request("strangers", "mine").orElseThrow());
        assertThat(world.storeBuckets).hasSize(1);
        assertThat(world.request("strangers", "mine")).isEmpty();
    }

    @Test
    void aRequestWithoutFinalizerDeletesNothing() {
        World world = created(ReleasePolicy.DELETE);
        BucketRequest request = photos(world);
        setFinalizers(world, request);
        world.delete(request);
        world.settle();
        assertThat(world.storeBuckets).hasSize(1);
        assertNotDeleted(world, "bucket-photos-team");
    }

    @Test
    void aBucketOfAnAdministratorIsNeverDeletedWithARequest() {
        World world = new World(ReleasePolicy.DELETE);
        Bucket bucket = existing(world, "shared", world.permitted("team"));
        world.edit(bucket, latest -> latest.setSpec(Specs.with(latest.getSpec(), "releasePolicy", "Delete")));
        requestShared(world);
        delete(world, photos(world));
        assertThat(world.request("team", "photos")).isEmpty();
        assertNotDeleted(world, "shared");
    }

    @Test
    void aBucketOfAnAdministratorIsDeletedWithoutASidecar() {
        World world = new World(ReleasePolicy.RETAIN);
        existing(world, "shared", world.permitted("team"));
        world.controller();
        world.delete(world.bucket("shared").orElseThrow());
        assertThat(world.bucket("shared")).as("our finalizer").isPresent();
        world.controller();
        assertThat(world.bucket("shared")).isEmpty();
    }

    @Test
    void withRetainNoBucketIsCreatedForARequestThatWasDeletedBeforeTheSidecarRan() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.controller();
        world.delete(photos(world));
        world.settle();
        assertThat(world.storeBuckets).isEmpty();
        assertThat(world.all(Bucket.class)).isEmpty();
        assertThat(world.request("team", "photos")).isEmpty();
    }

    @Test
    void aRequestThatNoSidecarServesSaysSoAndCanBeDeleted() {
        World world = new World(ReleasePolicy.DELETE);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.controller();
        assertThat(photos(world).status().message()).isEmpty();
        world.pass(Duration.ofSeconds(31));
        world.controller();
        assertThat(photos(world).phase()).isEqualTo(BucketRequestPhase.CREATING);
        assertThat(photos(world).status().message()).contains("the provisioner store/s3.test of BucketClass fast");

        world.delete(photos(world));
        world.controller();
        world.pass(Duration.ofSeconds(31));
        world.controller();
        assertThat(photos(world).status().message()).contains("the Bucket is deleted without it");
        world.pass(Duration.ofMinutes(6));
        world.controller();
        assertThat(world.request("team", "photos")).isEmpty();
        assertThat(world.all(Bucket.class)).isEmpty();
    }

    @Test
    void aLostBucketIsNotCreatedAgain() {
        World world = created(ReleasePolicy.RETAIN);
        Bucket bucket = world.bucket("bucket-photos-team").orElseThrow();
        world.deletedByAdministrator.add(bucket.getMetadata().getUid());
        world.delete(bucket);
        world.controller();
        assertRefused(world, BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS, "is being deleted");
        world.settle();
        assertRefused(world, BucketRequestPhase.BUCKET_DELETED, "is not created again");
        assertThat(world.storeBuckets).as("Retain keeps the data").hasSize(1);
        assertThat(world.created()).isEqualTo(1);
    }

    @Test
    void aProblemOfTheProvisionerIsReported() {
        World world = new World(ReleasePolicy.RETAIN);
        world.trouble = "the store is full";
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.controller();
        world.sidecar();
        world.controller();
        BucketRequest request = photos(world);
        assertThat(request.phase()).isEqualTo(BucketRequestPhase.CREATING);
        assertThat(request.status().message()).isEqualTo("the store is full");
        assertThat(request.status().condition("Ready").orElseThrow().getReason())
                .isEqualTo("FailedCreateBucket");
        assertThat(request.status().condition("Ready").orElseThrow().getObservedGeneration())
                .isEqualTo(request.getMetadata().getGeneration());
    }

    /** A World in which the bucket of photos was created. */
    private static World created(ReleasePolicy policy, String... alsoPermitted) {
        World world = new World(policy, alsoPermitted);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.settle();
        return world;
    }

    private static void requestShared(World world) {
        world.createRequest("team", "photos", "bucketInstanceName", "shared");
        world.settle();
    }

    private static BucketRequest photos(World world) {
        return world.request("team", "photos").orElseThrow();
    }

    private static void delete(World world, BucketRequest request) {
        world.delete(request);
        world.settle();
    }

    private static void assertNotDeleted(World world, String bucket) {
        assertThat(world.bucket(bucket).orElseThrow().getMetadata().getDeletionTimestamp())
                .isNull();
    }

    private static void assertRefused(World world, BucketRequestPhase phase, String why) {
        BucketRequest request = photos(world);
        assertThat(request.phase()).isEqualTo(phase);
        assertThat(request.status().message()).contains(why);
        assertThat(request.status().condition("Ready").orElseThrow().getStatus())
                .isEqualTo("False");
    }

    static void setFinalizers(World world, HasMetadata object, String... finalizers) {
        world.edit(object, latest -> latest.getMetadata().setFinalizers(List.of(finalizers)));
    }

    /** A Bucket that an administrator creates. */
    static Bucket existing(World world, String name, PermittedNamespace... permitted) {
        Bucket bucket = new Bucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
        BucketProtocol protocol = new BucketProtocol("s3", null, new S3Bucket("http://store", "old", "", ""), null);
        bucket.setSpec(new BucketSpec(
                World.STORE + "/s3.test", "", "", "", List.of(), List.of(permitted), protocol, Map.of(), null));
        return world.create(bucket);
    }
}
