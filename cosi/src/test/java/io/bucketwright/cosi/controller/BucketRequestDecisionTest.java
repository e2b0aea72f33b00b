package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.GcsBucket;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.S3Bucket;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The rules of a BucketRequest, each with the least that shows it. */
class BucketRequestDecisionTest {

    @Test
    void aNewBucketIsCreatedFromTheClassAndPermitsItsNamespace() {
        World world = new World(ReleasePolicy.DELETE, "friends");
        world.createRequest("team", "photos", "bucketClassName", "fast", "bucketPrefix", "Yosemite-");
        world.settle();
        Bucket bucket = world.bucket("bucket-photos-team").orElseThrow();
        BucketRequest request = world.request("team", "photos").orElseThrow();
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
    void withoutAClassTheDefaultOneOfTheProtocolServes() {
        World world = new World(ReleasePolicy.RETAIN);
        bucketClass(world, "usual", it -> it.setIsDefaultBucketClass(true));
        bucketClass(world, "usual-gcs", it -> {
            it.setIsDefaultBucketClass(true);
            it.setProtocol("gcs");
        });
        world.createRequest("team", "photos");
        world.settle();
        assertThat(world.bucket("bucket-photos-team").orElseThrow().getSpec().bucketClassName())
                .isEqualTo("usual");
    }

    @Test
    void twoDefaultsAreAnErrorThatNamesThemAndEndsWithOneOfThem() {
        World world = new World(ReleasePolicy.RETAIN);
        bucketClass(world, "one", it -> it.setIsDefaultBucketClass(true));
        bucketClass(world, "other", it -> it.setIsDefaultBucketClass(true));
        world.createRequest("team", "photos");
        world.settle();
        assertRefused(world, BucketRequestPhase.TWO_DEFAULT_BUCKET_CLASSES, "(one, other)");
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
    void aClassMayComeAfterItsRequest() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createRequest("team", "photos", "bucketClassName", "late");
        world.controller();
        assertThat(world.request("team", "photos").orElseThrow().phase())
                .as("not at once: it may be in the same file")
                .isEqualTo(BucketRequestPhase.CREATING);
        world.pass(Duration.ofSeconds(4));
        world.settle();
        assertRefused(world, BucketRequestPhase.BUCKET_CLASS_NOT_FOUND, "BucketClass late does not exist");
        bucketClass(world, "late", it -> {});
        world.settle();
        assertThat(world.bucket("bucket-photos-team")).isPresent();
        assertThat(world.request("team", "photos").orElseThrow().phase()).isEqualTo(BucketRequestPhase.CREATING);
    }

    @Test
    void aClassOfAnotherProtocolIsRefusedAndNothingIsMade() {
        World world = new World(ReleasePolicy.RETAIN);
        bucketClass(world, "google", it -> it.setProtocol("gcs"));
        world.createRequest("team", "photos", "bucketClassName", "google");
        world.settle();
        assertRefused(world, BucketRequestPhase.CLASS_DOES_NOT_SUPPORT_PROTOCOL, "supports gcs, not s3");
        assertThat(world.all(Bucket.class)).isEmpty();
        assertThat(world.request("team", "photos").orElseThrow().getMetadata().getFinalizers())
                .isNullOrEmpty();
    }

    @Test
    void anExistingBucketIsBoundOnlyFromPermittedNamespaces() {
        World world = new World(ReleasePolicy.RETAIN);
        existing(world, "shared", world.permitted("team"));
        world.createRequest("team", "photos", "bucketInstanceName", "shared");
        world.createRequest("strangers", "photos", "bucketInstanceName", "shared");
        world.settle();
        assertThat(world.request("team", "photos").orElseThrow().getMetadata().getFinalizers())
                .containsExactly("cosi.io/finalizer");
        BucketRequest refused = world.request("strangers", "photos").orElseThrow();
        assertThat(refused.phase()).isEqualTo(BucketRequestPhase.NAMESPACE_NOT_PERMITTED);
        assertThat(refused.getMetadata().getFinalizers()).isNullOrEmpty();
    }

    @Test
    void aNamespaceMadeAgainUnderAPermittedNameIsAnother() {
        World world = new World(ReleasePolicy.RETAIN);
        existing(world, "shared", new PermittedNamespace("team", "uid-of-an-earlier-one"));
        world.createRequest("team", "photos", "bucketInstanceName", "shared");
        world.settle();
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
        world.createRequest("team", "photos", "bucketInstanceName", "shared");
        world.settle();
        assertRefused(world, BucketRequestPhase.BUCKET_DOES_NOT_SUPPORT_PROTOCOL, "supports gcs, not s3");
    }

    @Test
    void aBucketThatIsNamedAndNotThereIsWaitedForAndNeverMade() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createRequest("team", "photos", "bucketInstanceName", "shared");
        world.settle();
        assertRefused(world, BucketRequestPhase.BUCKET_NOT_FOUND, "Bucket shared does not exist");
        existing(world, "shared", world.permitted("team"));
        world.settle();
        assertThat(world.request("team", "photos").orElseThrow().phase()).isEqualTo(BucketRequestPhase.CREATING);
        assertThat(world.created()).isZero();
    }

    @Test
    void aBucketThatHappensToHaveOurNameIsNotOurs() {
        World world = new World(ReleasePolicy.RETAIN);
        existing(world, "bucket-photos-team", world.permitted("team"));
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.settle();
        String name = world.request("team", "photos").orElseThrow().getSpec().bucketInstanceName();
        assertThat(name).matches("bucket-photos-team-[0-9a-f]{10}");
        assertThat(world.bucket(name).orElseThrow().getSpec().creator()).isPresent();
    }

    @Test
    void aBucketThatTookTheNameInTheSameMomentIsNotAdopted() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.dieAt(1, true);
        world.controller();
        existing(world, "bucket-photos-team", world.permitted("team"));
        world.settle();
        assertRefused(world, BucketRequestPhase.BUCKET_NAME_TAKEN, "create a new one");
    }

    @Test
    void finalizerAndAnnotationOfATenantGrantNothing() {
        World world = new World(ReleasePolicy.DELETE);
        existing(world, "bucket-photos-team", world.permitted("others"));
        world.createRequest("team", "photos", "bucketInstanceName", "bucket-photos-team");
        BucketRequest request = world.request("team", "photos").orElseThrow();
        setFinalizers(world, request, "cosi.io/finalizer");
        world.annotate(request, CosiMetadata.ORIGIN, CosiMetadata.NEW);
        world.settle();
        assertThat(world.request("team", "photos").orElseThrow().phase().text()).startsWith("Err");
        world.delete(world.request("team", "photos").orElseThrow());
        world.settle();
        assertThat(world.request("team", "photos")).isEmpty();
        assertThat(world.bucket("bucket-photos-team")).isPresent();
    }

    @Test
    void aTenantWhoNamesAnothersBucketCannotKeepItsOwnerFromDeletingIt() {
        World world = new World(ReleasePolicy.DELETE);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.settle();
        world.createRequest("strangers", "mine", "bucketInstanceName", "bucket-photos-team");
        world.settle();
        world.delete(world.request("team", "photos").orElseThrow());
        world.settle();
        assertThat(world.storeBuckets).isEmpty();
        assertThat(world.bucket("bucket-photos-team")).isEmpty();
    }

    @Test
    void aBucketStaysAsLongAsAnyRequestHasAPartInIt() {
        World world = new World(ReleasePolicy.DELETE, "friends");
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.settle();
        world.createRequest("friends", "photos", "bucketInstanceName", "bucket-photos-team");
        world.settle();
        world.delete(world.request("team", "photos").orElseThrow());
        world.settle();
        assertThat(world.request("team", "photos")).isEmpty();
        assertThat(world.storeBuckets).hasSize(1);
        assertThat(world.bucket("bucket-photos-team")
                        .orElseThrow()
                        .getMetadata()
                        .getDeletionTimestamp())
                .isNull();
        world.delete(world.request("friends", "photos").orElseThrow());
        world.settle();
        assertThat(world.storeBuckets).isEmpty();
        assertThat(world.bucket("bucket-photos-team")).isEmpty();
    }

    @Test
    void aTenantWhoNamesAnothersBucketCannotDeleteIt() {
        World world = new World(ReleasePolicy.DELETE);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.settle();
        world.createRequest("strangers", "mine", "bucketInstanceName", "bucket-photos-team");
        setFinalizers(world, world.request("strangers", "mine").orElseThrow(), "cosi.io/finalizer");
        world.settle();
        world.delete(world.request("strangers", "mine").orElseThrow());
        world.settle();
        assertThat(world.storeBuckets).hasSize(1);
        assertThat(world.request("strangers", "mine")).isEmpty();
    }

    @Test
    void aRequestThatVanishesDestroysNothing() {
        World world = new World(ReleasePolicy.DELETE);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.settle();
        BucketRequest request = world.request("team", "photos").orElseThrow();
        setFinalizers(world, request);
        world.delete(request);
        world.settle();
        assertThat(world.storeBuckets).hasSize(1);
        assertThat(world.bucket("bucket-photos-team")
                        .orElseThrow()
                        .getMetadata()
                        .getDeletionTimestamp())
                .isNull();
    }

    @Test
    void aBucketThatAnAdministratorMadeIsNeverDeletedForAnybody() {
        World world = new World(ReleasePolicy.DELETE);
        Bucket bucket = existing(world, "shared", world.permitted("team"));
        world.edit(bucket, latest -> latest.setSpec(Specs.with(latest.getSpec(), "releasePolicy", "Delete")));
        world.createRequest("team", "photos", "bucketInstanceName", "shared");
        world.settle();
        world.delete(world.request("team", "photos").orElseThrow());
        world.settle();
        assertThat(world.request("team", "photos")).isEmpty();
        assertThat(world.bucket("shared").orElseThrow().getMetadata().getDeletionTimestamp())
                .isNull();
    }

    @Test
    void aBucketThatAnAdministratorMadeGoesWithoutASidecar() {
        World world = new World(ReleasePolicy.RETAIN);
        existing(world, "shared", world.permitted("team"));
        world.controller();
        world.delete(world.bucket("shared").orElseThrow());
        assertThat(world.bucket("shared")).as("our finalizer").isPresent();
        world.controller();
        assertThat(world.bucket("shared")).isEmpty();
    }

    @Test
    void aLostBucketIsNotMadeAgain() {
        World world = new World(ReleasePolicy.RETAIN);
        world.createRequest("team", "photos", "bucketClassName", "fast");
        world.settle();
        Bucket bucket = world.bucket("bucket-photos-team").orElseThrow();
        world.deletedByAdministrator.add(bucket.getMetadata().getUid());
        world.delete(bucket);
        world.controller();
        assertRefused(world, BucketRequestPhase.BUCKET_DELETION_IN_PROGRESS, "is being deleted");
        world.settle();
        assertRefused(world, BucketRequestPhase.BUCKET_LOST, "is not created again");
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
        BucketRequest request = world.request("team", "photos").orElseThrow();
        assertThat(request.phase()).isEqualTo(BucketRequestPhase.CREATING);
        assertThat(request.status().message()).isEqualTo("the store is full");
        assertThat(request.status().condition("Ready").orElseThrow().getReason())
                .isEqualTo("FailedCreateBucket");
        assertThat(request.status().condition("Ready").orElseThrow().getObservedGeneration())
                .isEqualTo(request.getMetadata().getGeneration());
    }

    private static void assertRefused(World world, BucketRequestPhase phase, String why) {
        BucketRequest request = world.request("team", "photos").orElseThrow();
        assertThat(request.phase()).isEqualTo(phase);
        assertThat(request.status().message()).contains(why);
        assertThat(request.status().condition("Ready").orElseThrow().getStatus())
                .isEqualTo("False");
    }

    static void setFinalizers(World world, HasMetadata object, String... finalizers) {
        world.edit(object, latest -> latest.getMetadata().setFinalizers(List.of(finalizers)));
    }

    private static void bucketClass(World world, String name, Consumer<BucketClass> more) {
        BucketClass bucketClass = new BucketClass();
        bucketClass.setMetadata(new ObjectMetaBuilder().withName(name).build());
        bucketClass.setProvisioner(World.STORE + "/s3.test");
        bucketClass.setProtocol("s3");
        more.accept(bucketClass);
        world.create(bucketClass);
    }

    /** A Bucket that an administrator creates. */
    static Bucket existing(World world, String name, PermittedNamespace... permitted) {
        Bucket bucket = new Bucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
        bucket.setSpec(Specs.of(
                BucketSpec.class,
                "provisioner",
                World.STORE + "/s3.test",
                "permittedNamespaces",
                List.of(permitted),
                "protocol",
                new BucketProtocol("s3", null, new S3Bucket("http://store", "old", "", ""), null)));
        return world.create(bucket);
    }
}
