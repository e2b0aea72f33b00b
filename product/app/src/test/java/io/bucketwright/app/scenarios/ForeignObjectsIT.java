package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What belongs to somebody else: refused with a reason on the claim, and not touched, not even by the claim's end. */
@ResourceLock(value = "orphans of all provisioners", mode = ResourceAccessMode.READ)
class ForeignObjectsIT extends ScenarioTestBase {

    @Test
    void anotherClaimsBucketAndABucketThatIsNotOursAreRefusedAndNotTouched() {
        String treasure = "treasure-" + Integer.toHexString(scenario.namespace().hashCode());
        scenario.store().administrator().createBucket(it -> it.bucket(treasure));
        scenario.store().put(treasure, "gold", "bars");
        try {
            scenario.serve();
            String storageClass = scenario.s3Class("s3", Map.of("onNotEmpty", "purge"));
            scenario.bind("incumbent", Scenario.bucketNamed(storageClass, "owned-by-one"));
            Map<String, String> tags = scenario.store().tagsOf("owned-by-one");
            scenario.claim("thief", Scenario.bucketNamed(storageClass, "owned-by-one"));
            scenario.claim("burglar", Scenario.bucketNamed(storageClass, treasure));
            for (String bad : List.of("thief", "burglar")) {
                assertThat(scenario.awaitReason(bad, "BucketTaken"))
                        .doesNotContain("incumbent")
                        .doesNotContain(scenario.get("incumbent").getMetadata().getUid());
                assertThat(scenario.get(bad).phase()).isEqualTo(Phase.FAILED);
                scenario.at(bad).delete();
            }
            Scenario.await("both to be deleted").untilAsserted(() -> {
                assertThat(scenario.claims())
                        .extracting(claim -> claim.getMetadata().getName() + " " + claim.getStatus())
                        .hasSize(1);
                assertThat(scenario.objectBuckets()).hasSize(1);
            });
            assertThat(scenario.works("incumbent")).isTrue();
            assertThat(scenario.store().tagsOf("owned-by-one")).isEqualTo(tags);
            assertThat(scenario.store().tagsOf(treasure)).isEmpty();
            assertThat(scenario.store().text(treasure, "gold")).isEqualTo("bars");
            assertThat(scenario.newUsers())
                    .containsExactly(
                            "bw-" + scenario.get("incumbent").getMetadata().getUid());
            scenario.deleteAll();
            assertThat(scenario.newBuckets()).containsExactly(treasure);
            assertThat(scenario.newUsers()).isEmpty();
        } finally {
            scenario.store().delete(treasure, "gold");
        }
    }

    @Test
    void aForeignSecretOrConfigMapOfTheRightNameIsNeverWrittenUsedOrDeleted() {
        scenario.serve();
        String storageClass = scenario.s3Class("s3");
        List<HasMetadata> foreign = List.of(
                create(secret("plain", Map.of())),
                create(secret("labelled", ourLabel())),
                create(configMap("config", Map.of())),
                create(configMap("config-labelled", ourLabel())));
        Map<String, String> expected = Map.of(
                "plain", "SecretNotOwned",
                "labelled", "SecretNotOwned",
                "config", "ConfigMapNotOwned",
                "config-labelled", "ConfigMapNotOwned");
        expected.keySet().forEach(name -> scenario.claim(name, Scenario.newBucket(storageClass)));
        expected.forEach((name, reason) -> {
            assertThat(scenario.awaitReason(name, reason)).contains("/" + name);
            assertThat(scenario.get(name).phase()).isEqualTo(Phase.FAILED);
        });
        scenario.assertAllCanBeDeleted();
        assertThat(foreign).allSatisfy(this::assertUnchanged);
    }

    @Test
    void claimsWhoseObjectBucketsCollideEachGetTheirOwnAlsoBesideAForeignOneAndWithTheLongestNames() {
        Scenario second = scenario.inNamespace(scenario.namespace() + "-b");
        String longest = "l".repeat(248) + ".long";
        scenario.serveAllNamespaces();
        String storageClass = scenario.s3Class("s3");
        ObjectBucketClaimSpec.Builder spec = Scenario.newBucket(storageClass);
        ObjectBucket foreign = foreignBucket("obc-" + scenario.namespace() + "-taken");
        scenario.claim("b-c", spec);
        second.claim("c", spec);
        scenario.claim("taken", spec);
        scenario.claim(longest, spec);
        for (String name : List.of("b-c", "taken", longest)) {
            scenario.awaitBound(name);
            assertThat(scenario.works(name)).as(name).isTrue();
        }
        second.awaitBound("c");
        assertThat(scenario.objectBuckets()).hasSize(4);
        assertThat(scenario.newBuckets()).hasSize(4);
        assertThat(scenario.newUsers()).hasSize(4);

        second.delete("c");
        Scenario.await("its bucket to be deleted")
                .until(() -> scenario.newBuckets().size() == 3);
        assertThat(scenario.works("b-c")).isTrue();
        scenario.assertAllCanBeDeleted();
        assertUnchanged(foreign);
        scenario.admin().resource(foreign).delete();
    }

    @Test
    void referencesThatATenantWroteLeadNowhere() {
        scenario.serve();
        String storageClass = scenario.s3Class("s3");
        scenario.bind("victim", Scenario.bucketNamed(storageClass, "victims-own"));
        scenario.awaitSettled();
        String bucket = scenario.get("victim").getSpec().objectBucket().orElseThrow();
        ObjectBucket before = scenario.objectBuckets().getFirst();
        Secret administrator = scenario.admin()
                .secrets()
                .inNamespace(scenario.namespace())
                .withName("administrator")
                .require();
        ObjectBucketClaim hostile = scenario.claimOf(
                "hostile",
                Scenario.newBucket(storageClass)
                        .objectBucketName(bucket)
                        .secretRef(reference("Secret", scenario.namespace(), "administrator"))
                        .configMapRef(reference("ConfigMap", "kube-system", "victim"))
                        .objectBucketRef(reference("ObjectBucket", "", bucket)));
        hostile.getMetadata().setFinalizers(List.of("objectbucket.io/finalizer"));
        scenario.admin().resource(hostile).create();
        scenario.awaitBound("hostile");
        assertThat(scenario.get("hostile").getSpec().objectBucket()).isPresent().isNotEqualTo(Optional.of(bucket));
        assertThat(scenario.works("hostile")).isTrue();
        scenario.at("hostile").delete();
        Scenario.await("the hostile claim to be deleted")
                .until(() -> scenario.claims().size() == 1);
        scenario.awaitSettled();
        assertThat(scenario.works("victim")).isTrue();
        scenario.assertNoDuplicates();
        assertUnchanged(before);
        assertUnchanged(administrator);
        scenario.assertAllCanBeDeleted();
    }

    private void assertUnchanged(HasMetadata before) {
        ObjectMeta after = scenario.admin().resource(before).require().getMetadata();
        assertThat(after.getResourceVersion()).isEqualTo(before.getMetadata().getResourceVersion());
        assertThat(after.getDeletionTimestamp()).isNull();
    }

    private static ObjectReference reference(String kind, String namespace, String name) {
        return new ObjectReferenceBuilder()
                .withKind(kind)
                .withNamespace(namespace)
                .withName(name)
                .build();
    }

    private HasMetadata create(HasMetadata object) {
        return scenario.admin().resource(object).create();
    }

    private Map<String, String> ourLabel() {
        return Map.of("bucket-provisioner", new ProvisionerName(scenario.provisioner()).label());
    }

    private Secret secret(String name, Map<String, String> labels) {
        return new SecretBuilder()
                .withMetadata(metadata(name, labels))
                .addToStringData("AWS_ACCESS_KEY_ID", "somebody else's")
                .build();
    }

    private ConfigMap configMap(String name, Map<String, String> labels) {
        return new ConfigMapBuilder()
                .withMetadata(metadata(name, labels))
                .addToData("BUCKET_NAME", "somebody-elses")
                .build();
    }

    private ObjectMeta metadata(String name, Map<String, String> labels) {
        return new ObjectMetaBuilder()
                .withNamespace(scenario.namespace())
                .withName(name)
                .withLabels(labels)
                .build();
    }

    private ObjectBucket foreignBucket(String name) {
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
        bucket.setSpec(ObjectBucketSpec.EMPTY);
        return scenario.admin().resource(bucket).create();
    }
}
