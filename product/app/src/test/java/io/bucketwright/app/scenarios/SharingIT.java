package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** One bucket and claims of two namespaces, through a class that names it. */
class SharingIT extends ScenarioTestBase {

    @Test
    void anExistingBucketIsSharedWithKeysOfTheirOwnAndOneEndDoesNotHurtTheOther() {
        String treasure = "treasure-" + Integer.toHexString(scenario.namespace().hashCode());
        Scenario two = scenario.inNamespace(scenario.namespace() + "-b");
        scenario.serveAllNamespaces();
        scenario.store().administrator().createBucket(it -> it.bucket(treasure));
        String shared = scenario.s3Class("shared", Map.of("bucketName", treasure));
        scenario.claim("mine", Scenario.ofClass(shared));
        two.claim("mine", Scenario.ofClass(shared));
        scenario.awaitBound("mine");
        two.awaitBound("mine");
        assertThat(scenario.config("mine")).containsEntry("BUCKET_NAME", treasure);
        assertThat(two.config("mine")).isEqualTo(scenario.config("mine"));
        assertThat(two.keys("mine")).isNotEqualTo(scenario.keys("mine"));
        assertThat(scenario.newUsers()).hasSize(2);
        assertThat(scenario.works("mine")).isTrue();
        assertThat(two.works("mine")).isTrue();

        Map<String, String> keys = scenario.keys("mine");
        scenario.delete("mine");
        assertThat(StoreView.works(two.config("mine"), keys))
                .as("its keys are revoked")
                .isFalse();
        assertThat(two.works("mine")).isTrue();
        two.delete("mine");
        assertThat(scenario.newUsers()).isEmpty();
        assertThat(scenario.newBuckets())
                .as("an existing bucket is never deleted")
                .containsExactly(treasure);
        assertThat(scenario.store().tagsOf(treasure)).isEmpty();
        scenario.store().delete(treasure);
    }

    @Test
    void fewClaimsOfOneNamespaceDoNotWaitForManyOfAnother() {
        Scenario few = scenario.inNamespace(scenario.namespace() + "-b");
        String storageClass = scenario.s3Class("turns");
        scenario.claims(80, storageClass);
        scenario.serveAllNamespaces();
        Scenario.await("the first of the many claims to be Bound").until(() -> scenario.bound() > 0);
        few.claims(8, storageClass);
        Scenario.await("the few claims to be Bound").until(() -> few.bound() == 8);
        assertThat(scenario.bound())
                .as("claims of the other namespace that are Bound when the few are")
                .isLessThan(40);
    }

    @Test
    void aNewBucketIsDeletedAfterTheOtherNamespaceReleasesItAndTheMessageNamesNobodyThere() {
        Scenario two = scenario.inNamespace(scenario.namespace() + "-b");
        scenario.serveAllNamespaces();
        String fresh = scenario.s3Class("new");
        scenario.bind("owner", Scenario.newBucket(fresh));
        String bucket = scenario.bucket("owner");
        String shared = scenario.s3Class("shared", Map.of("bucketName", bucket));
        two.claim("guest", Scenario.ofClass(shared));
        two.claim("visitor", Scenario.ofClass(shared));
        two.awaitBound("guest");
        two.awaitBound("visitor");
        scenario.store().put(bucket, "data", "all of it");

        scenario.at("owner").delete();
        assertThat(scenario.awaitReason("owner", "BucketShared")) // rook#12389
                .contains("2 other")
                .doesNotContain("guest")
                .doesNotContain("visitor")
                .doesNotContain(two.namespace());
        assertThat(two.works("guest")).isTrue();
        assertThat(two.works("visitor")).isTrue();

        two.delete("visitor");
        Scenario.await("one less").until(() -> scenario.ready("owner").contains("1 other"));
        assertThat(two.works("guest")).isTrue();
        scenario.store().administrator().deleteObject(it -> it.bucket(bucket).key("data"));
        two.at("guest").delete();
        Scenario.await("both to be deleted")
                .until(() -> two.at("guest").get() == null
                        && scenario.at("owner").get() == null
                        && scenario.objectBuckets().isEmpty());
        scenario.assertNothingIsLeft();
    }
}
