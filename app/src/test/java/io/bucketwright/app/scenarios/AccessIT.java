package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.Grant;

/** What a claim may ask for beside a bucket, and what its keys open in the real store. */
@OnCluster
class AccessIT {

    @TempDir
    private Path temporary;

    @Test
    void aClaimThatWantsEncryptionGetsNoKeysToAPlainEndpointUntilItChangesItsMind(TestCluster cluster)
            throws Exception {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                ControllerProcess _ = scenario.provisioner(cluster.user("buckets"))) {
            String plain = scenario.storageClass("plain", scenario.s3Parameters());
            scenario.claim("small", Scenario.newBucket(plain).ssl(true));
            scenario.claim("capital", Scenario.newBucket(plain).sslUpperCase(true));
            for (String name : List.of("small", "capital")) {
                assertThat(scenario.awaitReason(name, "EncryptionNotAvailable"))
                        .contains("encrypted", plain, "another class");
                assertThat(scenario.get(name).phase()).isEqualTo(Phase.FAILED);
                assertThat(scenario.admin()
                                .secrets()
                                .inNamespace(scenario.namespace())
                                .withName(name)
                                .get())
                        .isNull();
            }
            assertThatThrownBy(() -> scenario.claim(
                            "torn", Scenario.newBucket(plain).ssl(true).sslUpperCase(false)))
                    .as("the schema rejects it")
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("two spellings of one setting");

            scenario.at("small").edit(claim -> {
                claim.setSpec(claim.getSpec().toBuilder().ssl(false).build());
                return claim;
            });
            scenario.awaitBound("small");
            assertThat(scenario.config("small")).containsEntry("BUCKET_SSL", "false");
            assertThat(scenario.works("small")).isTrue();
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
        }
    }

    @Test
    void aPublicAclAndVersioningMustBeAllowedByTheClassAndAreThenSetInTheStore(TestCluster cluster) throws Exception {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                ControllerProcess _ = scenario.provisioner(cluster.user("buckets"))) {
            String strict = scenario.storageClass("strict", scenario.s3Parameters());
            String lenient = scenario.storageClass(
                    "lenient", scenario.s3Parameters(Map.of("allowedOptions", "cannedAcl,versioning")));
            scenario.claim("public", Scenario.newBucket(strict).cannedBucketACL("BucketCannedACLPublicRead"));
            scenario.claim("versioned", Scenario.newBucket(strict).versioned(true));
            assertThat(scenario.awaitReason("public", "Invalid")).contains("cannedAcl");
            assertThat(scenario.awaitReason("versioned", "Invalid")).contains("versioning");
            assertThat(scenario.newBuckets()).as("nothing is created").isEmpty();

            scenario.claim(
                    "allowed",
                    Scenario.newBucket(lenient)
                            .cannedBucketACL("BucketCannedACLPublicRead")
                            .versioned(true));
            scenario.awaitBound("allowed");
            String bucket = scenario.bucket("allowed");
            assertThat(scenario.store().versioningOf(bucket)).isEqualTo("Enabled");
            assertThat(scenario.store()
                            .administrator()
                            .getBucketAcl(it -> it.bucket(bucket))
                            .grants())
                    .extracting(Grant::permissionAsString)
                    .contains("READ");
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
        }
    }

    @Test
    void keysReadOnlyWriteOnlyOrWithinAPrefixAsClassAndClaimSayAndNoWider(TestCluster cluster) throws Exception {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                ControllerProcess _ = scenario.provisioner(cluster.user("buckets"))) {
            scenario.claim("owner", Scenario.newBucket(scenario.storageClass("new", scenario.s3Parameters())));
            scenario.awaitBound("owner");
            String bucket = scenario.bucket("owner");
            var administrator = scenario.store().administrator();
            administrator.putObject(it -> it.bucket(bucket).key("theirs/key"), RequestBody.fromString("secret"));
            String shared = scenario.storageClass(
                    "shared", scenario.s3Parameters(Map.of("bucketName", bucket, "allowedOptions", "prefix")));
            String readers = scenario.storageClass(
                    "readers", scenario.s3Parameters(Map.of("bucketName", bucket, "accessMode", "ReadOnly")));
            scenario.claim("reader", ObjectBucketClaimSpec.builder().storageClassName(readers));
            scenario.claim("writer", narrowed(shared, Map.of("accessMode", "WriteOnly")));
            scenario.claim("limited", narrowed(shared, Map.of("prefix", "ours/")));
            scenario.claim("greedy", narrowed(readers, Map.of("accessMode", "ReadWrite")));
            scenario.claim("elsewhere", narrowed(readers, Map.of("prefix", "ours/")));
            List.of("reader", "writer", "limited").forEach(scenario::awaitBound);
            assertThat(scenario.awaitReason("greedy", "Invalid")).contains("accessMode");
            assertThat(scenario.awaitReason("elsewhere", "Invalid")).contains("prefix");

            try (ClaimApplication reader = new ClaimApplication(scenario, "reader")) {
                assertThat(reader.reads("theirs/key")).isTrue();
                assertThat(reader.lists("")).isTrue();
                assertThat(reader.writes("theirs/key")).isFalse();
                assertThat(reader.deletes("theirs/key")).isFalse();
            }
            try (ClaimApplication writer = new ClaimApplication(scenario, "writer")) {
                assertThat(writer.writes("theirs/new")).isTrue();
                assertThat(writer.reads("theirs/new")).isFalse();
                assertThat(writer.lists("")).isFalse();
                assertThat(writer.deletes("theirs/new")).isFalse();
            }
            try (ClaimApplication limited = new ClaimApplication(scenario, "limited")) {
                assertThat(limited.writes("ours/key")).isTrue();
                assertThat(limited.reads("ours/key")).isTrue();
                assertThat(limited.lists("ours/")).isTrue();
                assertThat(limited.reads("theirs/key")).isFalse();
                assertThat(limited.writes("theirs/key")).isFalse();
                assertThat(limited.deletes("theirs/key")).isFalse();
                assertThat(limited.lists("")).isFalse();
                assertThat(limited.lists("theirs/")).isFalse();
                assertThat(limited.deletes("ours/key")).isTrue();
            }
            assertThat(administrator
                            .getObjectAsBytes(it -> it.bucket(bucket).key("theirs/key"))
                            .asUtf8String())
                    .isEqualTo("secret");
            List.of("theirs/key", "theirs/new")
                    .forEach(key ->
                            administrator.deleteObject(it -> it.bucket(bucket).key(key)));
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
        }
    }

    private static ObjectBucketClaimSpec.Builder narrowed(String storageClass, Map<String, String> more) {
        return ObjectBucketClaimSpec.builder().storageClassName(storageClass).additionalConfig(more);
    }
}
