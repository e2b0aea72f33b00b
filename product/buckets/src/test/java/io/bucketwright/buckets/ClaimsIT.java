package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@OnCluster
@ResourceLock(value = "orphans of all provisioners", mode = ResourceAccessMode.READ)
class ClaimsIT extends BucketTestBase {

    private static final int CLAIMS = 30;

    @Test
    void aRestartWithBoundClaimsCostsNoRequestForAnyOfThem() {
        String storageClass = bench.storageClass("new", Map.of());
        try (ControllerProcess _ = bench.start(cluster.user("first"))) {
            IntStream.range(0, CLAIMS).forEach(i -> bench.newBucket("mine-" + i, storageClass));
            IntStream.range(0, CLAIMS).forEach(i -> bench.awaitBound("mine-" + i));
        }
        int calls = store.calls().size();
        ApiUser second = cluster.user("second");
        bench.start(second);
        bench.awaitSettled();
        RequestCounts requests = cluster.requests(second);
        assertThat(requests.writes() + requests.reads() + requests.events())
                .as("neco-apps#1192, rook restart: %s", requests)
                .isZero();
        assertThat(store.calls()).hasSize(calls);
    }

    @Test
    void aClaimOfAForeignClassCostsNoRequest() {
        ApiUser user = cluster.user("buckets");
        String foreign = bench.storageClass("foreign", Map.of(), "ceph.rook.io/bucket", "Delete");
        bench.start(user);
        RequestCounts before = cluster.requests(user);
        bench.newBucket("theirs", foreign);
        bench.newBucket("nobodys", "there-is-no-such-class");
        bench.awaitSettled();
        RequestCounts after = cluster.requests(user).since(before);
        assertThat(after.all()).as("%s", after).isEmpty();
    }

    @Test
    void aClaimIsDeletedByItsIntentAfterItsClassWasDeletedOrReplaced() {
        String storageClass = bench.start(Map.of());
        bench.newBucket("one", storageClass);
        bench.newBucket("two", storageClass);
        bench.awaitBound("one");
        bench.awaitBound("two");
        bench.deleteClass(storageClass);
        bench.remove("one"); // rook#7351, rook#9204
        bench.storageClass("new", Map.of(), "somebody.else/bucket", "Retain");
        bench.remove("two");
        assertThat(store.buckets).isEmpty();
        assertThat(store.count("delete")).isEqualTo(2);
    }

    @Test
    void aForeignSecretIsReportedAndNotChanged() {
        bench.foreignSecret("mine", Map.of("password", "precious"));
        String storageClass = bench.start(Map.of());
        bench.newBucket("mine", storageClass);
        String message = bench.awaitReason("mine", "SecretNotOwned"); // rook#16602
        assertThat(message).contains(bench.namespace() + "/mine").contains("is not changed");
        assertThat(bench.get("mine").phase()).isEqualTo(Phase.FAILED);
        assertThat(bench.keys("mine")).isEqualTo(Map.of("password", "precious"));
        bench.delete("mine");
        Eventually.await("deletion of the claim").until(() -> bench.get("mine") == null);
        assertThat(bench.keys("mine")).isEqualTo(Map.of("password", "precious"));
    }

    @Test
    void claimsWhoseObjectBucketsWouldHaveTheSameNameBothBind() {
        String other = cluster.createNamespace(cluster.namespace() + "-b");
        String storageClass = bench.storageClass("new", Map.of());
        bench.start(cluster.user("buckets"), builder -> builder.namespace(""));
        bench.bind("b-c", storageClass);
        ObjectBucketClaim second =
                bench.claim(other, "c", BucketFixture.spec(storageClass).generateBucketName("photos"), Map.of());
        Eventually.await("the second claim to be Bound")
                .until(() -> cluster.admin().resource(second).get().phase() == Phase.BOUND);
        assertThat(bench.buckets())
                .extracting(bucket -> bucket.getMetadata().getName())
                .hasSize(2)
                .doesNotHaveDuplicates()
                .contains("obc-" + cluster.namespace() + "-b-c");
        cluster.admin().resource(second).delete();
        Eventually.await("deletion of the second claim")
                .until(() -> cluster.admin().resource(second).get() == null);
        assertThat(bench.get("b-c").phase()).isEqualTo(Phase.BOUND);
        assertThat(store.buckets).hasSize(1);
    }

    @Test
    void claimsThatShareABucketHaveSeparateKeysAndAreDeletedSeparately() {
        store.existing("shared-data");
        String storageClass = bench.storageClass("shared", Map.of("bucketName", "shared-data"));
        bench.start();
        bench.claim("one", BucketFixture.spec(storageClass));
        bench.claim("two", BucketFixture.spec(storageClass));
        bench.awaitBound("one");
        bench.awaitBound("two");
        assertThat(bench.get("one").getSpec().bucket()).isEmpty();
        assertThat(bench.keys("one")).isNotEqualTo(bench.keys("two"));
        bench.remove("one");
        assertThat(bench.opens("two")).isTrue();
        bench.remove("two");
        assertThat(store.has("shared-data")).isTrue();
        assertThat(store.tag("shared-data")).isEmpty();
        assertThat(store.count("delete")).isZero();
    }

    @Test
    void editsAndDeletionsAreRepairedAndAdditionsAreKept() {
        String storageClass = bench.start(Map.of());
        bench.bind("mine", storageClass);
        ForeignEdits.areRepaired(cluster, bench, storageClass);
        assertThat(store.count("provision")).isEqualTo(1);
    }

    @Test
    void aClaimWhoseObjectBucketIsDeletedIsReleasedAndGetsNoOtherOne() {
        String storageClass = bench.start(Map.of());
        bench.bind("mine", storageClass);
        bench.admin().resource(bench.bucketOf("mine")).delete();
        assertThat(bench.awaitReason("mine", "ObjectBucketDeleting")).contains("until this claim is deleted");
        assertThat(bench.get("mine").phase()).isEqualTo(Phase.BOUND);
        cluster.removeFinalizers(bench.bucketOf("mine"));
        bench.awaitPhase("mine", Phase.RELEASED);
        bench.awaitSettled();
        assertThat(bench.buckets()).isEmpty();
        bench.remove("mine");
        assertThat(store.count("provision")).isEqualTo(1);
    }

    @Test
    void renamedKeysAppearAndTheFormerOnesAreRemoved() {
        // New names come with new keys; with an overlap, the second change would wait for its end.
        String storageClass = bench.start(Map.of("rotationOverlap", "0s"));
        bench.bind("mine", storageClass);
        cluster.edit(bench.secret("mine"), secret -> secret.getData().put("THEIRS", "eWVz"));
        bench.setOptions("mine", Map.of("renameKeys", "AWS_ACCESS_KEY_ID=USER,BUCKET_HOST=HOST"));
        Eventually.await("the new names")
                .until(() -> bench.keys("mine").containsKey("USER")
                        && bench.config("mine").containsKey("HOST"));
        bench.awaitSettled();
        assertThat(bench.keys("mine"))
                .containsKey("USER")
                .containsEntry("THEIRS", "yes")
                .doesNotContainKey("AWS_ACCESS_KEY_ID");
        assertThat(bench.config("mine")).containsKey("HOST").doesNotContainKey("BUCKET_HOST");
        assertThat(store.opens(
                        bench.keys("mine").getOrDefault("USER", ""),
                        bench.keys("mine").getOrDefault("AWS_SECRET_ACCESS_KEY", ""),
                        bench.bucketName("mine")))
                .isTrue();
        bench.setOptions("mine", Map.of());
        Eventually.await("the old names")
                .until(() -> bench.keys("mine").containsKey("AWS_ACCESS_KEY_ID")
                        && bench.config("mine").containsKey("BUCKET_HOST"));
        bench.awaitSettled();
        assertThat(bench.keys("mine")).doesNotContainKey("USER");
    }
}
