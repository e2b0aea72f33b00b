package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.InstalledCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.Tag;

/** Buckets that outlive their claims, and the two commands that bring them back. */
class RetainedBucketsIT extends ScenarioTestBase {

    @Test
    void aRetainedBucketAndAnUntaggedBucketAreAdoptedByNewClaimsAndKept() throws Exception {
        try (InstalledCommand _ = scenario.controller("one")) {
            String retain = scenario.s3Class("retain", Map.of("reclaimPolicy", "Retain"));
            scenario.bind("first", Scenario.newBucket(retain));
            String bucket = Objects.requireNonNull(scenario.config("first").get("BUCKET_NAME"));
            scenario.deleteAll();
            assertThat(scenario.newBuckets()).containsExactly(bucket);

            String printed = adopt(retain, bucket, "second");
            assertThat(printed).contains("created for bucket " + bucket, "Bound: ");
            assertThat(scenario.works("second")).isTrue();
            assertThat(scenario.config("second")).containsEntry("BUCKET_NAME", bucket);

            String theirs = scenario.namespace() + "-theirs";
            scenario.store().administrator().createBucket(request -> request.bucket(theirs));
            String adopted = adopt(retain, theirs, "third", "--untagged");
            assertThat(adopted).contains("Bound: ");
            assertThat(scenario.works("third")).isTrue();

            scenario.deleteAll();
            assertThat(scenario.newBuckets()).as("adopted is never deleted").containsExactlyInAnyOrder(bucket, theirs);
            assertThat(scenario.newUsers()).isEmpty();
            scenario.newBuckets().forEach(name -> scenario.store().delete(name));
        }
    }

    @Test
    void aSuspendedClaimsKeysWorkAgainOnceTheSuspensionIsLifted() throws Exception {
        try (InstalledCommand _ = scenario.controller("one")) {
            String suspend = scenario.s3Class("suspend", Map.of("reclaimPolicy", "Suspend"));
            String uid = scenario.claim("mine", Scenario.newBucket(suspend))
                    .getMetadata()
                    .getUid();
            scenario.awaitBound("mine");
            Map<String, String> config = scenario.config("mine");
            Map<String, String> keys = scenario.keys("mine");
            assertThat(StoreView.works(config, keys)).isTrue();
            scenario.deleteAll();
            assertThat(StoreView.works(config, keys)).isFalse();
            String bucket = Objects.requireNonNull(config.get("BUCKET_NAME"));

            String printed = InstalledCommand.run(
                    folder,
                    "claim",
                    "unsuspend",
                    bucket,
                    "--class=" + suspend,
                    "--claim-uid=" + uid,
                    "--kubeconfig=" + scenario.kubeconfig());
            assertThat(printed).contains("have access to bucket " + bucket + " again");
            assertThat(keys.values()).noneMatch(printed::contains);
            assertThat(StoreView.works(config, keys)).isTrue();
        }
    }

    @Test
    void aBucketOfAFormerClusterIsTransferredToTheClaimOfTheSameName() throws Exception {
        try (InstalledCommand _ = scenario.controller("one")) {
            // Suspend keeps the bucket and its ownership tags.
            String suspend = scenario.s3Class("former", Map.of("reclaimPolicy", "Suspend"));
            scenario.bind("mine", Scenario.newBucket(suspend));
            Map<String, String> config = scenario.config("mine");
            Map<String, String> keys = scenario.keys("mine");
            String bucket = Objects.requireNonNull(config.get("BUCKET_NAME"));
            scenario.deleteAll();
            Map<String, String> tags = new TreeMap<>(scenario.store().tagsOf(bucket));
            tags.put("bucketwright.io/cluster", "former-cluster");
            List<Tag> changed = tags.entrySet().stream()
                    .map(tag -> Tag.builder()
                            .key(tag.getKey())
                            .value(tag.getValue())
                            .build())
                    .toList();
            scenario.store()
                    .administrator()
                    .putBucketTagging(request -> request.bucket(bucket).tagging(set -> set.tagSet(changed)));

            scenario.claim("mine", Scenario.bucketNamed(suspend, bucket));
            scenario.awaitReason("mine", "BucketTaken");
            String printed = InstalledCommand.run(
                    folder,
                    "claim",
                    "transfer",
                    "--class=" + suspend,
                    "--from-cluster=former-cluster",
                    "--namespace=" + scenario.namespace(),
                    "--kubeconfig=" + scenario.kubeconfig());
            assertThat(printed).contains("bucket " + bucket + " transferred");
            scenario.awaitBound("mine");
            assertThat(scenario.works("mine")).isTrue();
            assertThat(StoreView.works(config, keys)).as("the former keys").isFalse();
        }
    }

    private String adopt(String storageClass, String bucket, String claim, String... more) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "claim",
                "adopt",
                bucket,
                "--class=" + storageClass,
                "--claim=" + claim,
                "--namespace=" + scenario.namespace(),
                "--wait",
                "--kubeconfig=" + scenario.kubeconfig()));
        arguments.addAll(List.of(more));
        return InstalledCommand.run(folder, arguments.toArray(String[]::new));
    }
}
