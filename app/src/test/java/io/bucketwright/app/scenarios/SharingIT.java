package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;

/** One bucket and claims of two namespaces, through a class that names it. */
@OnCluster
class SharingIT {

    @TempDir
    private Path temporary;

    @Test
    void anExistingBucketIsSharedWithKeysOfTheirOwnAndOneEndDoesNotHurtTheOther(TestCluster cluster) throws Exception {
        String treasure = "treasure-" + Integer.toHexString(cluster.namespace().hashCode());
        try (Scenario one = Scenario.of(cluster, temporary);
                Scenario two = one.inNamespace(cluster.namespace() + "-b");
                ControllerProcess _ = one.provisioner(cluster.user("buckets"), one.provisioner(), builder -> builder)) {
            one.store().administrator().createBucket(it -> it.bucket(treasure));
            String shared = one.storageClass("shared", one.s3Parameters(Map.of("bucketName", treasure)));
            one.claim("mine", ObjectBucketClaimSpec.builder().storageClassName(shared));
            two.claim("mine", ObjectBucketClaimSpec.builder().storageClassName(shared));
            one.awaitBound("mine");
            two.awaitBound("mine");
            assertThat(one.config("mine")).containsEntry("BUCKET_NAME", treasure);
            assertThat(two.config("mine")).isEqualTo(one.config("mine"));
            assertThat(two.keys("mine")).isNotEqualTo(one.keys("mine"));
            assertThat(one.newUsers()).hasSize(2);
            assertThat(one.works("mine")).isTrue();
            assertThat(two.works("mine")).isTrue();

            Map<String, String> keys = one.keys("mine");
            one.at("mine").delete();
            one.awaitDeleted("mine");
            assertThat(StoreView.works(two.config("mine"), keys))
                    .as("its keys are revoked")
                    .isFalse();
            assertThat(two.works("mine")).isTrue();
            two.at("mine").delete();
            two.awaitDeleted("mine");
            assertThat(one.newUsers()).isEmpty();
            assertThat(one.newBuckets())
                    .as("an existing bucket is never deleted")
                    .containsExactly(treasure);
            assertThat(one.store().tagsOf(treasure)).isEmpty();
            one.store().administrator().deleteBucket(it -> it.bucket(treasure));
            two.admin().namespaces().withName(two.namespace()).delete();
        }
    }

    @Test
    void aNewBucketIsDeletedAfterTheOtherNamespaceReleasesItAndTheMessageNamesNobodyThere(TestCluster cluster)
            throws Exception {
        try (Scenario one = Scenario.of(cluster, temporary);
                Scenario two = one.inNamespace(cluster.namespace() + "-b");
                ControllerProcess _ = one.provisioner(cluster.user("buckets"), one.provisioner(), builder -> builder)) {
            String fresh = one.storageClass("new", one.s3Parameters());
            one.claim("owner", Scenario.newBucket(fresh));
            one.awaitBound("owner");
            String bucket = one.bucket("owner");
            String shared = one.storageClass("shared", one.s3Parameters(Map.of("bucketName", bucket)));
            two.claim("guest", ObjectBucketClaimSpec.builder().storageClassName(shared));
            two.claim("visitor", ObjectBucketClaimSpec.builder().storageClassName(shared));
            two.awaitBound("guest");
            two.awaitBound("visitor");
            one.store()
                    .administrator()
                    .putObject(it -> it.bucket(bucket).key("data"), RequestBody.fromString("all of it"));

            one.at("owner").delete();
            assertThat(one.awaitReason("owner", "BucketShared")) // rook#12389
                    .contains("2 other")
                    .doesNotContain("guest")
                    .doesNotContain("visitor")
                    .doesNotContain(two.namespace());
            assertThat(two.works("guest")).isTrue();
            assertThat(two.works("visitor")).isTrue();

            two.at("visitor").delete();
            two.awaitDeleted("visitor");
            Scenario.await("one less").until(() -> one.ready("owner").contains("1 other"));
            assertThat(two.works("guest")).isTrue();
            one.store().administrator().deleteObject(it -> it.bucket(bucket).key("data"));
            two.at("guest").delete();
            Scenario.await("both to be deleted")
                    .until(() -> two.at("guest").get() == null
                            && one.at("owner").get() == null
                            && one.objectBuckets().isEmpty());
            one.assertNothingIsLeft();
            two.admin().namespaces().withName(two.namespace()).delete();
        }
    }
}
