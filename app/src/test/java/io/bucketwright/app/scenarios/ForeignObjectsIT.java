package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.core.sync.RequestBody;

/** What belongs to somebody else: refused with a reason on the claim, and not touched, not even by the claim's end. */
@OnCluster
@ResourceLock(value = "orphans of all provisioners", mode = ResourceAccessMode.READ)
class ForeignObjectsIT {

    @TempDir
    private Path temporary;

    @Test
    void anotherClaimsBucketAndABucketThatIsNotOursAreRefusedAndNotTouched(TestCluster cluster) {
        String treasure = "treasure-" + Integer.toHexString(cluster.namespace().hashCode());
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            var administrator = scenario.store().administrator();
            administrator.createBucket(it -> it.bucket(treasure));
            administrator.putObject(it -> it.bucket(treasure).key("gold"), RequestBody.fromString("bars"));
            try (ControllerProcess _ = scenario.provisioner(scenario.account())) {
                String storageClass = scenario.storageClass("s3", scenario.s3Parameters(Map.of("onNotEmpty", "purge")));
                scenario.claim("incumbent", Scenario.bucketNamed(storageClass, "owned-by-one"));
                scenario.awaitBound("incumbent");
                Map<String, String> marks = scenario.store().tagsOf("owned-by-one");
                scenario.claim("thief", Scenario.bucketNamed(storageClass, "owned-by-one"));
                scenario.claim("burglar", Scenario.bucketNamed(storageClass, treasure));
                for (String bad : List.of("thief", "burglar")) {
                    assertThat(scenario.awaitReason(bad, "BucketTaken"))
                            .doesNotContain("incumbent")
                            .doesNotContain(
                                    scenario.get("incumbent").getMetadata().getUid());
                    assertThat(scenario.get(bad).phase()).isEqualTo(Phase.FAILED);
                    scenario.at(bad).delete();
                }
                Scenario.await("both to be gone").untilAsserted(() -> {
                    assertThat(scenario.claims())
                            .extracting(claim -> claim.getMetadata().getName() + " " + claim.getStatus())
                            .hasSize(1);
                    assertThat(scenario.objectBuckets()).hasSize(1);
                });
                assertThat(scenario.works("incumbent")).isTrue();
                assertThat(scenario.store().tagsOf("owned-by-one")).isEqualTo(marks);
                assertThat(scenario.store().tagsOf(treasure)).isEmpty();
                assertThat(administrator
                                .getObjectAsBytes(it -> it.bucket(treasure).key("gold"))
                                .asUtf8String())
                        .isEqualTo("bars");
                assertThat(scenario.newUsers())
                        .containsExactly(
                                "bw-" + scenario.get("incumbent").getMetadata().getUid());
                scenario.deleteAll();
                assertThat(scenario.newBuckets()).containsExactly(treasure);
                assertThat(scenario.newUsers()).isEmpty();
            } finally {
                administrator.deleteObject(it -> it.bucket(treasure).key("gold"));
                administrator.deleteBucket(it -> it.bucket(treasure));
            }
        }
    }

    @Test
    void aForeignSecretOrConfigMapOfTheRightNameIsNeverWrittenUsedOrDeleted(TestCluster cluster) {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                ControllerProcess _ = scenario.provisioner(scenario.account())) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            List<HasMetadata> foreign = List.of(
                    create(scenario, secret(scenario, "plain", Map.of())),
                    create(scenario, secret(scenario, "labelled", ourLabel(scenario))),
                    create(scenario, configMap(scenario, "config", Map.of())),
                    create(scenario, configMap(scenario, "config-labelled", ourLabel(scenario))));
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
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
            assertThat(foreign).allSatisfy(before -> {
                HasMetadata after = scenario.admin().resource(before).require();
                assertThat(after.getMetadata().getResourceVersion())
                        .isEqualTo(before.getMetadata().getResourceVersion());
                assertThat(after.getMetadata().getDeletionTimestamp()).isNull();
            });
        }
    }

    @Test
    void claimsWhoseObjectBucketsCollideEachGetTheirOwnAlsoBesideAForeignOneAndWithTheLongestNames(
            TestCluster cluster) {
        String a = "n" + Integer.toHexString(cluster.namespace().hashCode());
        String longest = "l".repeat(248) + ".long";
        try (Scenario scenario = Scenario.of(cluster.local(), a, temporary);
                InstalledCommand _ = scenario.controllerOfAllNamespaces("all")) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            makeNamespace(scenario, a + "-b");
            ObjectBucketClaimSpec.Builder spec = Scenario.newBucket(storageClass);
            ObjectBucket foreign = foreignBucket(scenario, "obc-" + a + "-taken");
            scenario.claim("b-c", spec);
            ObjectBucketClaim other = scenario.claimOf("c", spec);
            other.getMetadata().setNamespace(a + "-b");
            scenario.admin().resource(other).create();
            scenario.claim("taken", spec);
            scenario.claim(longest, spec);
            for (String name : List.of("b-c", "taken", longest)) {
                scenario.awaitBound(name);
                assertThat(scenario.works(name)).as(name).isTrue();
            }
            Scenario.await("the other namespace's claim")
                    .until(() -> scenario.admin().resource(other).require().phase() == Phase.BOUND);
            assertThat(scenario.objectBuckets()).hasSize(4);
            assertThat(scenario.newBuckets()).hasSize(4);
            assertThat(scenario.newUsers()).hasSize(4);

            scenario.admin().resource(other).delete();
            Scenario.await("the other namespace's claim to be gone")
                    .until(() -> scenario.admin().resource(other).get() == null
                            && scenario.newBuckets().size() == 3);
            assertThat(scenario.works("b-c")).isTrue();
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
            assertThat(scenario.admin()
                            .resource(foreign)
                            .require()
                            .getMetadata()
                            .getResourceVersion())
                    .isEqualTo(foreign.getMetadata().getResourceVersion());
            scenario.admin().resource(foreign).delete();
            scenario.admin().namespaces().withName(a).delete();
            scenario.admin().namespaces().withName(a + "-b").delete();
        }
    }

    @Test
    void referencesThatATenantWroteLeadNowhere(TestCluster cluster) {
        try (Scenario scenario = Scenario.of(cluster, temporary);
                ControllerProcess _ = scenario.provisioner(scenario.account())) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            scenario.claim("victim", Scenario.bucketNamed(storageClass, "victims-own"));
            scenario.awaitBound("victim");
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
            assertThat(scenario.get("hostile").getSpec().objectBucket())
                    .isPresent()
                    .isNotEqualTo(Optional.of(bucket));
            assertThat(scenario.works("hostile")).isTrue();
            scenario.at("hostile").delete();
            Scenario.await("the hostile claim to be gone")
                    .until(() -> scenario.claims().size() == 1);
            scenario.awaitSettled();
            assertThat(scenario.works("victim")).isTrue();
            scenario.assertNoDuplicates();
            assertThat(scenario.objectBuckets().getFirst().getMetadata().getResourceVersion())
                    .isEqualTo(before.getMetadata().getResourceVersion());
            assertThat(scenario.admin()
                            .resource(administrator)
                            .require()
                            .getMetadata()
                            .getResourceVersion())
                    .isEqualTo(administrator.getMetadata().getResourceVersion());
            scenario.deleteAll();
            scenario.assertNothingIsLeft();
        }
    }

    private static ObjectReference reference(String kind, String namespace, String name) {
        return new ObjectReferenceBuilder()
                .withKind(kind)
                .withNamespace(namespace)
                .withName(name)
                .build();
    }

    private static HasMetadata create(Scenario scenario, HasMetadata object) {
        return scenario.admin().resource(object).create();
    }

    private static Map<String, String> ourLabel(Scenario scenario) {
        return Map.of("bucket-provisioner", new ProvisionerName(scenario.provisioner()).label());
    }

    private static Secret secret(Scenario scenario, String name, Map<String, String> labels) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(scenario.namespace())
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .addToStringData("AWS_ACCESS_KEY_ID", "somebody else's")
                .build();
    }

    private static ConfigMap configMap(Scenario scenario, String name, Map<String, String> labels) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(scenario.namespace())
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .addToData("BUCKET_NAME", "somebody-elses")
                .build();
    }

    private static ObjectBucket foreignBucket(Scenario scenario, String name) {
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
        bucket.setSpec(ObjectBucketSpec.EMPTY);
        return scenario.admin().resource(bucket).create();
    }

    private static void makeNamespace(Scenario scenario, String name) {
        scenario.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .serverSideApply();
    }
}
