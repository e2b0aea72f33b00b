package io.bucketwright.buckets;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The objects of one test: a provisioner name, a store, classes of that provisioner, and claims in its namespace. */
final class BucketFixture implements AutoCloseable {

    final MemoryStore store = new MemoryStore();
    private final TestCluster cluster;
    private final String provisioner;
    private final StartedProcesses processes = new StartedProcesses();
    private final List<Runnable> cleanUps = new ArrayList<>();
    private final List<String> created = new ArrayList<>();

    BucketFixture(TestCluster cluster) {
        this(cluster, "", Crds.objectBuckets());
    }

    /**
     * One of several fixtures in the same namespace.
     *
     * @param suffix makes the provisioner name unique
     * @param definitions to install; if empty, the installed ones are used
     */
    BucketFixture(TestCluster cluster, String suffix, List<CustomResourceDefinition> definitions) {
        this.cluster = cluster;
        this.provisioner = cluster.namespace() + ".test/bucket" + suffix;
        cluster.install(definitions);
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    String provisioner() {
        return provisioner;
    }

    String namespace() {
        return cluster.namespace();
    }

    /** Creates a class with these parameters and starts a provisioner. Returns the name of the class. */
    String start(Map<String, String> parameters) {
        String storageClass = storageClass("new", parameters);
        start();
        return storageClass;
    }

    /** Runs after all processes are closed. */
    void onClose(Runnable cleanUp) {
        cleanUps.add(cleanUp);
    }

    /** Starts a provisioner that may do everything. */
    void start() {
        start(cluster.user("buckets"));
    }

    /** Starts a provisioner that serves the namespace of this test, as that user. */
    ControllerProcess start(ApiUser user) {
        return start(user, builder -> {});
    }

    ControllerProcess start(ApiUser user, Consumer<BucketProvisioner.Builder> more) {
        return start(user, store, more);
    }

    ControllerProcess start(ApiUser user, BucketStore other, Consumer<BucketProvisioner.Builder> more) {
        BucketProvisioner.Builder builder = builder(user).store(other);
        more.accept(builder);
        return processes.start(builder.build());
    }

    ControllerProcess startInstalledStores(ApiUser user) {
        return startInstalledStores(user.config());
    }

    /** Starts a provisioner with stores of this kind, whose administrator has this Secret. */
    ApiUser startInstalledStores(String kind, Map<String, String> administrator) {
        foreignSecret("administrator", administrator);
        ApiUser user = cluster.user(kind);
        startInstalledStores(user, kind);
        return user;
    }

    /** Starts a provisioner with stores of this kind. */
    ControllerProcess startInstalledStores(ApiUser user, String kind) {
        return processes.start(builder(user).stores(Stores.installed(), kind).build());
    }

    /** Starts a provisioner with the stores that are installed, and another way to the API server. */
    ControllerProcess startInstalledStores(Config config) {
        return processes.start(builder(config).stores(Stores.installed(), "s3").build());
    }

    /** Starts a provisioner with the stores that are installed, and further settings. */
    ControllerProcess startInstalledStores(ApiUser user, Consumer<BucketProvisioner.Builder> more) {
        BucketProvisioner.Builder builder = builder(user).stores(Stores.installed(), "s3");
        more.accept(builder);
        return processes.start(builder.build());
    }

    private BucketProvisioner.Builder builder(ApiUser user) {
        return builder(user.config());
    }

    private BucketProvisioner.Builder builder(Config config) {
        return ClientOptions.config(BucketProvisioner.builder(), config)
                .provisioner(provisioner)
                .namespace(namespace());
    }

    /** Starts an orphan collector without a grace period. */
    ControllerProcess startCollector(ApiUser user, Consumer<OrphanCollector.Builder> more) {
        OrphanCollector.Builder builder = ClientOptions.config(OrphanCollector.builder(), user.config())
                .provisioner(provisioner)
                .gracePeriod(Duration.ZERO);
        more.accept(builder);
        return processes.start(builder.build());
    }

    /** Creates a class of this test's provisioner. Its name is the namespace and this suffix. */
    String storageClass(String suffix, Map<String, String> parameters) {
        return storageClass(suffix, parameters, provisioner, "Delete");
    }

    String storageClass(String suffix, Map<String, String> parameters, String provisionerName, String reclaimPolicy) {
        String name = cluster.namespace() + "-" + suffix;
        admin().resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withProvisioner(provisionerName)
                        .withParameters(parameters)
                        .withReclaimPolicy(reclaimPolicy)
                        .build())
                .create();
        cleanUps.add(() -> deleteClass(name));
        return name;
    }

    void deleteClass(String name) {
        admin().storage().v1().storageClasses().withName(name).delete();
    }

    static ObjectBucketClaimSpec.Builder spec(String storageClass) {
        return ObjectBucketClaimSpec.builder().storageClassName(storageClass);
    }

    ObjectBucketClaim claim(String name, ObjectBucketClaimSpec.Builder spec) {
        return claim(namespace(), name, spec, Map.of());
    }

    ObjectBucketClaim claim(
            String inNamespace, String name, ObjectBucketClaimSpec.Builder spec, Map<String, String> labels) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(inNamespace)
                .withName(name)
                .withLabels(labels)
                .build());
        claim.setSpec(spec.build());
        created.add(name);
        return admin().resource(claim).create();
    }

    /** Deletes the claim of that name, which the test creates itself, when the fixture is closed. */
    void remember(String name) {
        created.add(name);
    }

    /** A claim for a new bucket with a generated name. */
    ObjectBucketClaim newBucket(String name, String storageClass) {
        return claim(name, spec(storageClass).generateBucketName("photos"));
    }

    ObjectBucketClaim newBucket(String name, String storageClass, Map<String, String> options) {
        return claim(name, spec(storageClass).generateBucketName("photos").additionalConfig(options));
    }

    /** Creates a claim for a new bucket and waits until it is Bound. Returns the name of the bucket. */
    String bind(String name, String storageClass) {
        newBucket(name, storageClass);
        return awaitBound(name);
    }

    /** Binds a claim and returns the requests to the API server that this user sent meanwhile. */
    RequestCounts bindCounted(ApiUser user, String name, String storageClass) {
        RequestCounts before = cluster.requests(user);
        bind(name, storageClass);
        return cluster.requests(user).since(before);
    }

    /** Binds a claim with a provisioner that is stopped afterwards. Returns the name of the bucket. */
    String bindAndStop(String name, String storageClass) {
        newBucket(name, storageClass);
        try (ControllerProcess _ = start(cluster.user("binder-" + name))) {
            return awaitBound(name);
        }
    }

    /** Creates a Secret that belongs to no claim. */
    void foreignSecret(String name, Map<String, String> values) {
        admin().resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace())
                        .withName(name)
                        .endMetadata()
                        .withStringData(values)
                        .build())
                .create();
    }

    /** The S3 store of the cluster. Creates the Secret of its administrator. */
    StoreAccess s3Administrator() {
        StoreAccess access = cluster.local().s3().orElseThrow();
        foreignSecret("administrator", S3Clients.keys(access));
        return access;
    }

    /**
     * Parameters of a class of an S3 store whose administrator's Secret exists.
     *
     * @param more further parameters, and other values of these
     */
    Map<String, String> s3Parameters(StoreAccess access, Map<String, String> more) {
        Map<String, String> parameters = administered(
                Map.of("endpoint", access.endpoint(), "iamEndpoint", access.iamEndpoint(), "region", access.region()));
        parameters.putAll(more);
        return parameters;
    }

    /** Parameters of a class, with the Secret that {@link #startInstalledStores(String, Map)} creates. */
    Map<String, String> administered(Map<String, String> parameters) {
        Map<String, String> all = new HashMap<>(Map.of("secretName", "administrator", "secretNamespace", namespace()));
        all.putAll(parameters);
        return all;
    }

    /** Replaces the values of a Secret that belongs to no claim. */
    void replaceSecret(String name, Map<String, String> values) {
        cluster.edit(secret(name), current -> {
            current.setData(null);
            current.setStringData(values);
        });
    }

    /** The claim as a backup tool restores it: names, labels, annotations, finalizers and spec; no uid and no status. */
    static ObjectBucketClaim exported(ObjectBucketClaim claim) {
        ObjectMeta metadata = claim.getMetadata();
        ObjectBucketClaim exported = new ObjectBucketClaim();
        exported.setMetadata(new ObjectMetaBuilder()
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withLabels(metadata.getLabels())
                .withAnnotations(metadata.getAnnotations())
                .withFinalizers(metadata.getFinalizers())
                .build());
        exported.setSpec(claim.getSpec());
        return exported;
    }

    /** All claims in the namespace of this test. */
    List<ObjectBucketClaim> claims() {
        return admin().resources(ObjectBucketClaim.class)
                .inNamespace(namespace())
                .list()
                .getItems();
    }

    ObjectBucketClaim get(String name) {
        return admin().resources(ObjectBucketClaim.class)
                .inNamespace(namespace())
                .withName(name)
                .get();
    }

    /** The name of the bucket of the claim. */
    String bucketName(String claim) {
        return config(claim).getOrDefault("BUCKET_NAME", "");
    }

    /** The name of the claim's user in an S3 store. */
    String userOf(String claim) {
        return "bw-" + get(claim).getMetadata().getUid();
    }

    ObjectBucket bucketOf(String claim) {
        return admin().resources(ObjectBucket.class)
                .withName(get(claim).getSpec().objectBucket().orElseThrow())
                .get();
    }

    Secret secret(String name) {
        return admin().secrets().inNamespace(namespace()).withName(name).get();
    }

    ConfigMap configMap(String name) {
        return admin().configMaps().inNamespace(namespace()).withName(name).get();
    }

    /** The decoded content of the claim's Secret. */
    Map<String, String> keys(String name) {
        return TestCluster.decoded(secret(name));
    }

    /** The content of the claim's ConfigMap. */
    Map<String, String> config(String name) {
        return configMap(name).getData();
    }

    /** Whether the credentials of the claim give access to its bucket. */
    boolean opens(String claim) {
        return opens(keys(claim), claim);
    }

    boolean opens(Map<String, String> keys, String claim) {
        return store.opens(
                keys.getOrDefault("AWS_ACCESS_KEY_ID", ""),
                keys.getOrDefault("AWS_SECRET_ACCESS_KEY", ""),
                config(claim).getOrDefault("BUCKET_NAME", ""));
    }

    void editSpec(String claim, UnaryOperator<ObjectBucketClaimSpec.Builder> change) {
        cluster.edit(
                get(claim),
                current -> current.setSpec(
                        change.apply(current.getSpec().toBuilder()).build()));
    }

    /** Replaces the options of the claim. */
    void setOptions(String claim, Map<String, String> options) {
        editSpec(claim, spec -> spec.additionalConfig(options));
    }

    void annotate(HasMetadata object, String key, String value) {
        cluster.edit(object, current -> {
            Map<String, String> annotations = new HashMap<>(Metadata.annotations(current));
            annotations.put(key, value);
            current.getMetadata().setAnnotations(annotations);
        });
    }

    /** Starts a provisioner, binds a claim, and deletes it while its bucket has objects. Returns the name of the bucket. */
    String deleteWithObjects(String name, int objects) {
        String bucket = bind(name, start(Map.of()));
        store.fill(bucket, objects);
        delete(name);
        return bucket;
    }

    /** Requests new credentials now, and waits until the Secret contains them. */
    void rotate(String claim) {
        Map<String, String> old = keys(claim);
        annotate(
                get(claim),
                "bucketwright.io/rotate-at",
                Instant.now().minusSeconds(1).toString());
        Eventually.await("new keys").until(() -> !keys(claim).equals(old));
    }

    /** Waits until the claim is Bound and returns the name of its bucket; empty for a bucket that the class names. */
    String awaitBound(String name) {
        awaitPhase(name, Phase.BOUND);
        return get(name).getSpec().bucket().orElse("");
    }

    void awaitPhase(String name, Phase phase) {
        Eventually.await(name + " to be " + phase).until(() -> get(name).phase() == phase);
    }

    /** Waits until the claim's Ready condition has that reason, and returns its message. */
    String awaitReason(String name, String reason) {
        Eventually.await(name + " to report " + reason).until(() -> reason(name).equals(reason));
        return ready(name).orElseThrow().getMessage();
    }

    /** Whether the Ready condition is about the claim's current generation. */
    boolean isCurrent(String name) {
        return ready(name)
                .filter(ready -> ready.getObservedGeneration()
                        .equals(get(name).getMetadata().getGeneration()))
                .isPresent();
    }

    String reason(String name) {
        return ready(name).map(Condition::getReason).orElse("");
    }

    private Optional<Condition> ready(String name) {
        return Optional.ofNullable(get(name))
                .flatMap(claim -> Optional.ofNullable(claim.getStatus()))
                .flatMap(status -> status.condition("Ready"));
    }

    void delete(String name) {
        admin().resources(ObjectBucketClaim.class)
                .inNamespace(namespace())
                .withName(name)
                .delete();
    }

    /** Deletes claims and waits until nothing of them is left. */
    void remove(String... names) {
        Stream.of(names).forEach(this::delete);
        Stream.of(names).forEach(this::awaitDeleted);
    }

    /** Waits until the claim and everything that was created for it is deleted. */
    void awaitDeleted(String name) {
        Eventually.await("deletion of " + name)
                .until(() -> get(name) == null && secret(name) == null && configMap(name) == null);
        Eventually.await("deletion of the ObjectBucket of " + name)
                .until(() -> buckets().stream()
                        .noneMatch(bucket -> bucket.getSpec()
                                .recordedIntent()
                                .orElseThrow()
                                .claimName()
                                .equals(name)));
    }

    /** Deletes a claim without its finalizer, so that its bucket becomes an orphan. */
    void orphan(String name) {
        cluster.forceDelete(get(name));
        Eventually.await("deletion of " + name).until(() -> get(name) == null);
    }

    /** The ObjectBuckets of this test's provisioner. */
    List<ObjectBucket> buckets() {
        return admin().resources(ObjectBucket.class).list().getItems().stream()
                .filter(bucket -> bucket.getSpec()
                        .recordedIntent()
                        .filter(intent -> intent.provisioner().equals(provisioner))
                        .isPresent())
                .toList();
    }

    /** Whether the claim is Bound and has an event. */
    boolean isBoundWithEvent(String name) {
        return get(name).phase() == Phase.BOUND
                && cluster.events().stream()
                        .anyMatch(event -> event.getRegarding().getName().equals(name));
    }

    /**
     * Waits until the provisioner of this fixture has seen everything that was written so far: until it has rejected a claim
     * that is created now. Such a claim has no children and sends nothing to the store.
     */
    void awaitSettled() {
        String sentinel = Sentinel.newName();
        claim(sentinel, spec(storageClass(sentinel, Map.of())).bucketName("Not_A_Bucket_Name"));
        awaitPhase(sentinel, Phase.FAILED);
        remove(sentinel);
    }

    @Override
    public void close() {
        processes.close();
        cleanUps.forEach(Runnable::run);
        // No controller is left to remove the finalizers.
        created.stream()
                .flatMap(name -> Stream.of(get(name), secret(name), configMap(name)))
                .filter(Objects::nonNull)
                .forEach(cluster::forceDelete);
        buckets().forEach(cluster::forceDelete);
    }
}
