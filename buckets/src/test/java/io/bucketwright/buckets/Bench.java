package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.BucketStore;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** One test's workbench: classes of a provisioner of its own, claims in its namespace, and what became of them. */
public final class Bench implements AutoCloseable {

    private final TestCluster cluster;
    private final String provisioner;
    private final Deque<ControllerProcess> open = new ArrayDeque<>();
    private final List<Runnable> cleanUps = new ArrayList<>();
    private final List<String> made = new ArrayList<>();

    public Bench(TestCluster cluster) {
        this(cluster, "");
    }

    /** One of several in the same namespace; the suffix tells their provisioners from each other. */
    public Bench(TestCluster cluster, String suffix) {
        this(cluster, suffix, Crds.all());
    }

    /** One that works with these definitions; without any, with those that are there. */
    public Bench(TestCluster cluster, String suffix, List<CustomResourceDefinition> definitions) {
        this.cluster = cluster;
        this.provisioner = cluster.namespace() + ".test/bucket" + suffix;
        install(definitions);
    }

    /** Puts these definitions in the place of whatever was there. */
    public void install(List<CustomResourceDefinition> definitions) {
        for (CustomResourceDefinition definition : definitions) {
            admin().resource(definition).forceConflicts().serverSideApply();
            admin().resource(definition)
                    .waitUntilCondition(
                            crd -> crd.getStatus() != null
                                    && crd.getStatus().getConditions() != null
                                    && crd.getStatus().getConditions().stream()
                                            .anyMatch(it -> it.getType().equals("Established")
                                                    && it.getStatus().equals("True")),
                            30,
                            TimeUnit.SECONDS);
        }
    }

    public KubernetesClient admin() {
        return cluster.admin();
    }

    public String provisionerName() {
        return provisioner;
    }

    public String namespace() {
        return cluster.namespace();
    }

    /** A provisioner that works in this test's namespace, as that user. */
    public ControllerProcess provisioner(ApiUser user, BucketStore store) {
        return provisioner(user, store, builder -> {});
    }

    public ControllerProcess provisioner(ApiUser user, BucketStore store, Consumer<BucketProvisioner.Builder> more) {
        BucketProvisioner.Builder builder = BucketProvisioner.builder()
                .client(user.config())
                .provisioner(provisioner)
                .namespace(namespace())
                .store(store);
        more.accept(builder);
        ControllerProcess made = builder.build().start();
        open.push(made);
        try {
            made.awaitReady();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return made;
    }

    /** A class of this test's provisioner; its name is the test's, and this suffix. */
    public String storageClass(String suffix, Map<String, String> parameters) {
        return storageClass(suffix, parameters, provisioner, "Delete");
    }

    public String storageClass(String suffix, Map<String, String> parameters, String whose, String reclaimPolicy) {
        String name = cluster.namespace() + "-" + suffix;
        admin().resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withProvisioner(whose)
                        .withParameters(parameters)
                        .withReclaimPolicy(reclaimPolicy)
                        .build())
                .create();
        cleanUps.add(
                () -> admin().storage().v1().storageClasses().withName(name).delete());
        return name;
    }

    public ObjectBucketClaim claim(String name, ObjectBucketClaimSpec.Builder spec) {
        return claim(name, spec, Map.of());
    }

    public ObjectBucketClaim claim(String name, ObjectBucketClaimSpec.Builder spec, Map<String, String> labels) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace())
                .withName(name)
                .withLabels(labels)
                .build());
        claim.setSpec(spec.build());
        made.add(name);
        return admin().resource(claim).create();
    }

    /** A claim for a new bucket with a made-up name. */
    public ObjectBucketClaim newBucket(String name, String storageClass) {
        return claim(
                name,
                ObjectBucketClaimSpec.builder().storageClassName(storageClass).generateBucketName("photos"));
    }

    public ObjectBucketClaim get(String name) {
        return admin().resources(ObjectBucketClaim.class)
                .inNamespace(namespace())
                .withName(name)
                .get();
    }

    public ObjectBucket bucketOf(String claim) {
        return admin().resources(ObjectBucket.class)
                .withName(get(claim).getSpec().objectBucket().orElseThrow())
                .get();
    }

    public Secret secret(String name) {
        return admin().secrets().inNamespace(namespace()).withName(name).get();
    }

    public ConfigMap configMap(String name) {
        return admin().configMaps().inNamespace(namespace()).withName(name).get();
    }

    /** The Secret's content in clear. */
    public Map<String, String> keys(String name) {
        Map<String, String> clear = new HashMap<>();
        secret(name)
                .getData()
                .forEach((key, value) ->
                        clear.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        return clear;
    }

    public boolean opens(MemoryStore store, String claim) {
        Map<String, String> keys = keys(claim);
        return store.opens(
                keys.getOrDefault("AWS_ACCESS_KEY_ID", ""),
                keys.getOrDefault("AWS_SECRET_ACCESS_KEY", ""),
                configMap(claim).getData().getOrDefault("BUCKET_NAME", ""));
    }

    public ObjectBucketClaim awaitBound(String name) {
        return awaitPhase(name, Phase.BOUND);
    }

    public ObjectBucketClaim awaitPhase(String name, Phase phase) {
        await(name + " to be " + phase).until(() -> get(name).phase() == phase);
        return get(name);
    }

    /** Waits until the claim's Ready condition has that reason, and gives its message. */
    public String awaitReason(String name, String reason) {
        await(name + " to say " + reason).until(() -> reason(name).equals(reason));
        return ready(name).orElseThrow().getMessage();
    }

    /** Whether the status speaks of the claim as it is now. */
    public boolean isCurrent(String name) {
        return ready(name)
                .filter(ready -> ready.getObservedGeneration()
                        .equals(get(name).getMetadata().getGeneration()))
                .isPresent();
    }

    public String reason(String name) {
        return ready(name).map(Condition::getReason).orElse("");
    }

    private Optional<Condition> ready(String name) {
        return Optional.ofNullable(get(name))
                .flatMap(claim -> Optional.ofNullable(claim.getStatus()))
                .flatMap(status -> status.condition("Ready"));
    }

    public void delete(String name) {
        admin().resources(ObjectBucketClaim.class)
                .inNamespace(namespace())
                .withName(name)
                .delete();
    }

    public void awaitGone(String name) {
        await(name + " to be gone").until(() -> get(name) == null && secret(name) == null && configMap(name) == null);
        await("no ObjectBucket of " + name)
                .until(() -> buckets().stream()
                        .noneMatch(bucket -> bucket.getSpec()
                                .recordedIntent()
                                .orElseThrow()
                                .claimName()
                                .equals(name)));
    }

    /** The ObjectBuckets of this test's provisioner. */
    public List<ObjectBucket> buckets() {
        return admin().resources(ObjectBucket.class).list().getItems().stream()
                .filter(bucket -> bucket.getSpec()
                        .recordedIntent()
                        .filter(intent -> intent.provisioner().equals(provisioner))
                        .isPresent())
                .toList();
    }

    /** Bound, and the event about it has had its time. */
    public boolean isBoundAndTold(String name) {
        if (get(name).phase() != Phase.BOUND) {
            return false;
        }
        return admin().events().v1().events().inNamespace(namespace()).list().getItems().stream()
                .anyMatch(event -> event.getRegarding().getName().equals(name));
    }

    /**
     * Waits until the provisioner of this bench has seen everything that was written so far: until it has rejected a claim
     * that is created now. Such a claim has no children and sends nothing to the store.
     */
    public void awaitSettled() {
        String sentinel = Sentinel.newName();
        claim(
                sentinel,
                ObjectBucketClaimSpec.builder()
                        .storageClassName(storageClass(sentinel, Map.of()))
                        .bucketName("Not_A_Bucket_Name"));
        await("the sentinel to be rejected").until(() -> get(sentinel).phase() == Phase.FAILED);
        delete(sentinel);
        awaitGone(sentinel);
    }

    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Eventually.TIMEOUT).pollInterval(Duration.ofMillis(100));
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        cleanUps.forEach(Runnable::run);
        // Nobody is left to take the finalizers off.
        admin().resources(ObjectBucketClaim.class).inNamespace(namespace()).list().getItems().stream()
                .filter(claim -> made.contains(claim.getMetadata().getName()))
                .forEach(this::force);
        buckets().forEach(this::force);
        made.forEach(name -> Optional.ofNullable(secret(name)).ifPresent(this::force));
        made.forEach(name -> Optional.ofNullable(configMap(name)).ifPresent(this::force));
    }

    private void force(HasMetadata object) {
        try {
            admin().resource(object).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            admin().resource(object).delete();
        } catch (KubernetesClientException e) {
            // Somebody else was faster, which is as good.
            assertThat(e.getCode()).isIn(404, 409);
        }
    }
}
