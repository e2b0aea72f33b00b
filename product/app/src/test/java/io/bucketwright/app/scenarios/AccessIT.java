package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.Grant;

/** What a claim may ask for beside a bucket, and what its keys open in the real store. */
class AccessIT extends ScenarioTestBase {

    @Test
    void aClaimThatWantsEncryptionGetsNoKeysToAPlainEndpointUntilItChangesItsMind() {
        scenario.serve();
        String plain = scenario.s3Class("plain");
        scenario.claim("small", Scenario.newBucket(plain).ssl(true));
        scenario.claim("capital", Scenario.newBucket(plain).sslUpperCase(true));
        for (String name : List.of("small", "capital")) {
            assertThat(scenario.awaitReason(name, "TLSNotAvailable")).contains("encrypted", plain, "another class");
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

        scenario.edit(
                "small",
                claim -> claim.setSpec(claim.getSpec().toBuilder().ssl(false).build()));
        scenario.awaitBound("small");
        assertThat(scenario.config("small")).containsEntry("BUCKET_SSL", "false");
        assertThat(scenario.works("small")).isTrue();
        scenario.assertAllCanBeDeleted();
    }

    @Test
    void aPublicAclAndVersioningMustBeAllowedByTheClassAndAreThenSetInTheStore() {
        scenario.serve();
        String strict = scenario.s3Class("strict");
        String lenient = scenario.s3Class("lenient", Map.of("allowedOptions", "cannedAcl,versioning"));
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
        scenario.assertAllCanBeDeleted();
    }

    @Test
    void keysReadOnlyWriteOnlyOrWithinAPrefixAsClassAndClaimSayAndNoWider() {
        scenario.serve();
        scenario.bind("owner", Scenario.newBucket(scenario.s3Class("new")));
        String bucket = scenario.bucket("owner");
        scenario.store().put(bucket, "theirs/key", "secret");
        String shared = scenario.s3Class("shared", Map.of("bucketName", bucket, "allowedOptions", "prefix"));
        String readers = scenario.s3Class("readers", Map.of("bucketName", bucket, "accessMode", "ReadOnly"));
        scenario.claim("reader", Scenario.ofClass(readers));
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
        assertThat(scenario.store().text(bucket, "theirs/key")).isEqualTo("secret");
        List.of("theirs/key", "theirs/new")
                .forEach(key -> scenario.store()
                        .administrator()
                        .deleteObject(it -> it.bucket(bucket).key(key)));
        scenario.assertAllCanBeDeleted();
    }

    private static ObjectBucketClaimSpec.Builder narrowed(String storageClass, Map<String, String> more) {
        return Scenario.ofClass(storageClass).additionalConfig(more);
    }
}
