package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.app.claim.BucketCommand;
import io.bucketwright.app.claim.ClaimShell;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.Tag;

/** Buckets that outlive their claims, and the commands that bring them back. */
class RetainedBucketsIT extends ScenarioTestBase {

    private ClaimShell shell = new ClaimShell(Path.of("none"));

    @BeforeEach
    void useTheCluster() {
        shell = new ClaimShell(scenario.kubeconfig());
    }

    @Test
    void aRetainedBucketAndAnUntaggedBucketAreAdoptedByNewClaimsAndKept() throws Exception {
        scenario.serve();
        String retain = scenario.s3Class("retain", Map.of("reclaimPolicy", "Retain"));
        scenario.bind("first", Scenario.newBucket(retain));
        String bucket = Objects.requireNonNull(scenario.config("first").get("BUCKET_NAME"));
        scenario.deleteAll();
        assertThat(scenario.newBuckets()).containsExactly(bucket);

        List<String> installed = new ArrayList<>(List.of("claim"));
        installed.addAll(List.of(recovery(bucket, retain, "second", "--wait")));
        installed.add("--kubeconfig=" + scenario.kubeconfig());
        assertThat(InstalledCommand.run(folder, installed.toArray(String[]::new)))
                .contains("created for bucket " + bucket, "Bound: ");
        assertThat(scenario.works("second")).isTrue();
        assertThat(scenario.config("second")).containsEntry("BUCKET_NAME", bucket);

        String theirs = scenario.namespace() + "-theirs";
        scenario.store().administrator().createBucket(request -> request.bucket(theirs));
        shell.succeeds(recovery(theirs, retain, "third", "--untagged", "--wait"))
                .contains("Bound: ");
        assertThat(scenario.works("third")).isTrue();

        scenario.deleteAll();
        assertThat(scenario.newBuckets()).as("adopted is never deleted").containsExactlyInAnyOrder(bucket, theirs);
        assertThat(scenario.newUsers()).isEmpty();
        scenario.newBuckets().forEach(name -> scenario.store().delete(name));
    }

    @Test
    void aSuspendedClaimsKeysWorkAgainOnceTheSuspensionIsLifted() throws Exception {
        scenario.serve();
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

        shell.succeeds("unsuspend", bucket, "--class=" + suspend, "--claim-uid=" + uid)
                .contains("have access to bucket " + bucket + " again");
        assertThat(keys.values()).noneMatch(shell.out()::contains);
        assertThat(StoreView.works(config, keys)).isTrue();
    }

    @Test
    void aBucketOfAFormerClusterIsTransferredToTheClaimOfTheSameName() throws Exception {
        scenario.serve();
        // Suspend keeps the bucket and its ownership tags.
        String suspend = scenario.s3Class("former", Map.of("reclaimPolicy", "Suspend"));
        scenario.bind("mine", Scenario.newBucket(suspend));
        Map<String, String> config = scenario.config("mine");
        Map<String, String> keys = scenario.keys("mine");
        String bucket = Objects.requireNonNull(config.get("BUCKET_NAME"));
        scenario.deleteAll();
        Map<String, String> tags = new TreeMap<>(scenario.store().tagsOf(bucket));
        tags.put("bucketwright.io/cluster", "former-cluster");
        tag(bucket, tags);

        scenario.claim("mine", Scenario.bucketNamed(suspend, bucket));
        scenario.awaitReason("mine", "BucketTaken");
        shell.succeeds(
                        "transfer",
                        "--class=" + suspend,
                        "--from-cluster=former-cluster",
                        "--namespace=" + scenario.namespace())
                .contains("bucket " + bucket + " transferred");
        scenario.awaitBound("mine");
        assertThat(scenario.works("mine")).isTrue();
        assertThat(StoreView.works(config, keys)).as("the former keys").isFalse();
    }

    @Test
    void aSuspendedClaimAndANamespaceThatWasCreatedAgainNeedATransfer() {
        scenario.serve();
        String suspend = scenario.s3Class("keeps", Map.of("reclaimPolicy", "Suspend"));
        String purge = scenario.s3Class("purges", Map.of("onNotEmpty", "purge"));
        scenario.bind("mine", Scenario.newBucket(suspend));
        String bucket = Objects.requireNonNull(scenario.config("mine").get("BUCKET_NAME"));
        scenario.store()
                .administrator()
                .putObject(request -> request.bucket(bucket).key("precious"), RequestBody.fromString("data"));
        Map<String, String> tags = new TreeMap<>(scenario.store().tagsOf(bucket));
        scenario.delete("mine");

        scenario.claim("mine", Scenario.bucketNamed(purge, bucket));
        assertThat(scenario.awaitReason("mine", "BucketTaken")).contains("may have been suspended");
        String[] all = {"transfer", "--class=" + purge, "--namespace=" + scenario.namespace(), "--from-cluster=this"};
        assertThat(shell.run(all)).isEqualTo(1);
        assertThat(shell.out()).contains("name the claim");
        List<String> named = new ArrayList<>(List.of(all));
        named.add("mine");
        shell.succeeds(named.toArray(String[]::new));
        scenario.awaitBound("mine");
        scenario.delete("mine");
        assertThat(precious(bucket)).as("what Suspend keeps").isEqualTo("data");

        tags.put("bucketwright.io/owner", "uid-of-its-claim");
        tags.put("bucketwright.io/claim-namespace-uid", "uid-of-its-namespace");
        tags.put("bucketwright.io/reclaim-policy", "Delete");
        tag(bucket, tags);
        scenario.claim("mine", Scenario.bucketNamed(purge, bucket));
        assertThat(scenario.awaitReason("mine", "BucketTaken")).contains("former namespace");
        shell.succeeds(all);
        scenario.awaitBound("mine");
        scenario.deleteAll();
        assertThat(scenario.newBuckets()).as("both claims may delete it").isEmpty();
    }

    @Test
    void aBucketThatLostItsClaimIsListedAndAdopted(TestCluster cluster) {
        scenario.serve();
        String storageClass = scenario.s3Class("lost", Map.of());
        scenario.bind("mine", Scenario.newBucket(storageClass));
        Map<String, String> config = scenario.config("mine");
        Map<String, String> keys = scenario.keys("mine");
        String bucket = Objects.requireNonNull(config.get("BUCKET_NAME"));
        scenario.store()
                .administrator()
                .putObject(request -> request.bucket(bucket).key("precious"), RequestBody.fromString("data"));
        String claim = scenario.namespace() + "/mine";
        assertThat(row(storageClass, bucket)).contains("Owned", "this", claim, "ObjectBucketClaim " + claim);
        String[] orphaned = recovery(bucket, storageClass, "second", "--orphaned", "--wait");
        // Its claim exists.
        shell.fails(orphaned).contains("It is used by: ObjectBucketClaim " + claim);
        assertThat(StoreView.works(config, keys)).isTrue();

        loseObjectBucket(cluster, "mine");
        scenario.delete("mine");
        assertThat(row(storageClass, bucket, "--unused"))
                .contains("Owned", claim)
                .endsWith("-");
        shell.succeeds(recovery(bucket, storageClass, "early"));
        scenario.awaitReason("early", "BucketTaken");
        scenario.delete("early");

        shell.succeeds(orphaned).contains("Bucket " + bucket + " released from claim ", "Bound: ");
        assertThat(scenario.works("second")).isTrue();
        assertThat(precious(bucket)).isEqualTo("data");
        scenario.delete("second");

        tag(
                bucket,
                Map.of(
                        "bucketwright.io/version", "1",
                        "bucketwright.io/cluster", "lost-cluster",
                        "bucketwright.io/owner", "uid-of-its-claim"));
        assertThat(row(storageClass, bucket)).contains("Owned", "lost-cluster");
        shell.fails(recovery(bucket, storageClass, "third", "--orphaned"))
                .contains("--from-cluster lost-cluster --yes");
        assertThat(shell.run(recovery(bucket, storageClass, "third", "--from-cluster=lost-cluster")))
                .as("not confirmed")
                .isEqualTo(2);
        shell.fails(recovery(bucket, storageClass, "third", "--from-cluster=another", "--yes"))
                .contains("belongs to cluster lost-cluster, not to another");
        assertThat(scenario.store().tagsOf(bucket)).containsEntry("bucketwright.io/owner", "uid-of-its-claim");
        shell.succeeds(recovery(bucket, storageClass, "third", "--from-cluster=lost-cluster", "--yes", "--wait"));
        assertThat(scenario.works("third")).isTrue();
        assertThat(precious(bucket)).isEqualTo("data");
        scenario.deleteAll();
        scenario.store()
                .administrator()
                .deleteObject(request -> request.bucket(bucket).key("precious"));
        scenario.newBuckets().forEach(name -> scenario.store().delete(name));
    }

    /** The driver of the released COSI API tags buckets with ids that are not those of the cluster. */
    @Test
    void aBucketOfAnyApiOfCosiIsInUseAndNobodyAdoptsIt(TestCluster cluster) {
        cluster.install(Crds.released());
        cluster.install(Crds.cosi());
        String storageClass = scenario.s3Class("theirs", Map.of());
        String bucket = scenario.namespace() + "-cosi";
        scenario.store().administrator().createBucket(request -> request.bucket(bucket));
        tag(
                bucket,
                Map.of(
                        "bucketwright.io/version", "1",
                        "bucketwright.io/cluster", "digest-of-a-driver",
                        "bucketwright.io/owner", "digest-of-a-bucket"));
        assertThat(row(storageClass, bucket, "--unused")).startsWith(bucket);
        for (ReleasedBucket user : List.of(released(bucket, ""), released(scenario.namespace() + "-static", bucket))) {
            ReleasedBucket created = cluster.admin().resource(user).create();
            assertInUse(storageClass, bucket, created.getMetadata().getName());
            cluster.forceDelete(created);
        }
        assertThat(scenario.store().tagsOf(bucket)).containsEntry("bucketwright.io/owner", "digest-of-a-bucket");
        scenario.store().delete(bucket);
    }

    private ReleasedBucket released(String name, String existing) {
        return Serialization.unmarshal(
                """
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: Bucket
            metadata: {name: %s}
            spec: {driverName: "%s", bucketClassName: c, protocols: [S3], bucketClaim: {}, existingBucketID: "%s"}
            """.formatted(name, "driver." + scenario.namespace(), existing), ReleasedBucket.class);
    }

    private void assertInUse(String storageClass, String bucket, String user) {
        String text = "Bucket of objectstorage.k8s.io " + user;
        assertThat(row(storageClass, bucket)).contains(text);
        assertThat(row(storageClass, bucket, "--unused")).isEmpty();
        for (List<String> how : List.of(
                List.<String>of(),
                List.of("--untagged"),
                List.of("--orphaned"),
                List.of("--from-cluster=digest-of-a-driver", "--yes"))) {
            shell.fails(recovery(bucket, storageClass, "thief", how.toArray(String[]::new)))
                    .contains("is used by: " + text)
                    .doesNotContain("--from-cluster");
        }
    }

    private String[] recovery(String bucket, String storageClass, String claim, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "adopt", bucket, "--class=" + storageClass, "--claim=" + claim, "--namespace=" + scenario.namespace()));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    /** The line about the bucket in the list of all buckets. */
    private String row(String storageClass, String bucket, String... more) {
        List<String> arguments = new ArrayList<>(List.of("list", "--class=" + storageClass));
        arguments.addAll(List.of(more));
        shell.succeeds(new BucketCommand(), arguments.toArray(String[]::new));
        return shell.out()
                .lines()
                .filter(line -> line.startsWith(bucket + " "))
                .findFirst()
                .orElse("");
    }

    /** What somebody does who removes finalizers by force. */
    private void loseObjectBucket(TestCluster cluster, String claim) {
        cluster.forceDelete(scenario.objectBucket(claim).orElseThrow());
        scenario.awaitReason(claim, "ObjectBucketMissing");
    }

    private String precious(String bucket) {
        return scenario.store()
                .administrator()
                .getObjectAsBytes(request -> request.bucket(bucket).key("precious"))
                .asUtf8String();
    }

    private void tag(String bucket, Map<String, String> tags) {
        List<Tag> set = tags.entrySet().stream()
                .map(tag ->
                        Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
                .toList();
        scenario.store()
                .administrator()
                .putBucketTagging(request -> request.bucket(bucket).tagging(tagging -> tagging.tagSet(set)));
    }
}
