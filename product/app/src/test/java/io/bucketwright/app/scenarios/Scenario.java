package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.app.options.RoleLeaseName;
import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;

/** A namespace with claims and classes of its own provisioner, an S3 store, and their state in both. */
public final class Scenario implements AutoCloseable {

    private static final int CLIENTS = 8;

    /** A thousand claims take half a minute on a machine that does nothing else. */
    private static final Duration MANY_CLAIMS = Duration.ofMinutes(4);

    private final TestCluster cluster;
    private final String namespace;
    private final Path folder;
    private final StoreKind kind;
    private final StoreAccess access;
    private final StoreView store;
    private final Set<String> foreignBuckets;
    private final Set<String> foreignUsers;
    private final List<Runnable> cleanUps = new CopyOnWriteArrayList<>();

    private Scenario(TestCluster cluster, String namespace, Path folder, StoreKind kind, StoreAccess access) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.folder = folder;
        this.kind = kind;
        this.access = access;
        this.store = new StoreView(kind, access);
        this.foreignBuckets = store.buckets();
        this.foreignUsers = store.users();
        install();
    }

    /** In the test's namespace, with a store of its own. */
    static Scenario of(TestCluster cluster, Path folder) {
        LocalStore store = LocalStore.start();
        Scenario scenario = new Scenario(cluster, cluster.namespace(), folder, StoreKind.S3, store.access());
        scenario.cleanUps.add(store::close);
        return scenario;
    }

    /** With a store that other tests use before and afterwards. What is in it already is not this scenario's. */
    static Scenario onStore(TestCluster cluster, Path folder, StoreKind kind, StorePool stores) {
        LocalStore store = stores.take(kind);
        Scenario scenario = new Scenario(cluster, cluster.namespace(), folder, kind, store.access());
        scenario.cleanUps.add(() -> stores.giveBack(kind, store));
        return scenario;
    }

    /** With the store of the cluster, for tests that stop it. What is in that store already is not this scenario's. */
    static Scenario onClusterStore(TestCluster cluster, Path folder) {
        return new Scenario(
                cluster,
                cluster.namespace(),
                folder,
                StoreKind.S3,
                cluster.local().s3().orElseThrow());
    }

    /** In another namespace, with the same store. It is closed with this scenario, and its namespace deleted. */
    Scenario inNamespace(String name) {
        Scenario other = new Scenario(cluster, name, folder, kind, access);
        cleanUps.add(other::close);
        cleanUps.add(() -> admin().namespaces().withName(name).delete());
        return other;
    }

    /** What an administrator applies once, and permissions on leases here: scenarios elect leaders apart from each other. */
    private void install() {
        cluster.install(Crds.objectBuckets());
        InstalledCommand.deploy(cluster, "rbac.yaml");
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .serverSideApply();
        InstalledCommand.manifest(cluster, "rbac.yaml").stream()
                .filter(object -> object.getMetadata().getName().equals("bucketwright-leases"))
                .forEach(object -> {
                    object.getMetadata().setNamespace(namespace);
                    admin().resource(object).serverSideApply();
                });
        admin().resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("administrator")
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToStringData("AWS_ACCESS_KEY_ID", access.accessKeyId())
                        .addToStringData("AWS_SECRET_ACCESS_KEY", access.secretAccessKey())
                        .build())
                .create();
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    String namespace() {
        return namespace;
    }

    /** The administrator's. */
    Path kubeconfig() {
        return cluster.local().kubeconfig();
    }

    StoreView store() {
        return store;
    }

    StoreAccess access() {
        return access;
    }

    String provisioner() {
        return namespace + ".test/bucket";
    }

    /** The service account of deploy/rbac.yaml for the claims controller. */
    ApiUser account() {
        return account("bucketwright-buckets");
    }

    /** A service account of deploy/rbac.yaml. */
    ApiUser account(String name) {
        return InstalledCommand.serviceAccount(
                cluster, "bucketwright", name, folder.resolve("kubeconfig-" + name + "-" + namespace));
    }

    /** The installed controller with the permissions of deploy/rbac.yaml, for this scenario's classes and namespace. */
    InstalledCommand controller(String name, String... more) {
        return starting(name, more).awaitStarted();
    }

    /** As {@link #controller}, without waiting until it has started. */
    InstalledCommand starting(String name, String... more) {
        return role("buckets", name, more, "--provisioner=" + provisioner(), "--namespace=" + namespace);
    }

    /** The installed orphan controller; it reports orphans of all provisioners, and deletes those of this scenario. */
    InstalledCommand orphanController(String name, String... more) {
        return role("orphans", name, more, "--provisioner=" + provisioner()).awaitStarted();
    }

    /** @param name how its identity in the lease begins */
    private InstalledCommand role(String role, String name, String[] more, String... flags) {
        List<String> arguments = new ArrayList<>(List.of(
                "controller",
                "--log-format=json",
                "--only=" + role,
                "--lease-namespace=" + namespace,
                "--lease-duration=3s",
                // Measuring is spread over time and would be counted as calls to the store.
                "--usage-interval=0s",
                "--kubeconfig=" + account("bucketwright-" + role).kubeconfig()));
        arguments.addAll(List.of(flags));
        arguments.addAll(List.of(more));
        return InstalledCommand.start(
                folder, name, Map.of("HOSTNAME", name), List.of(), arguments.toArray(String[]::new));
    }

    /** Runs a provisioner in this JVM, with the permissions of deploy/rbac.yaml, until the scenario is closed. */
    void serve() {
        serve(builder -> builder.namespace(namespace));
    }

    /** As {@link #serve()}, for the claims of all namespaces. */
    void serveAllNamespaces() {
        serve(builder -> builder);
    }

    private void serve(UnaryOperator<BucketProvisioner.Builder> more) {
        cleanUps.addFirst(start(account(), provisioner(), more)::close);
    }

    /** A provisioner in this JVM that uses the real store, for the claims of this namespace. */
    ControllerProcess provisioner(ApiUser user, String provisioner, UnaryOperator<BucketProvisioner.Builder> more) {
        return start(user, provisioner, builder -> more.apply(builder.namespace(namespace)));
    }

    private static ControllerProcess start(
            ApiUser user, String provisioner, UnaryOperator<BucketProvisioner.Builder> more) {
        ControllerProcess started = more.apply(ClientOptions.config(BucketProvisioner.builder(), user.config())
                        .provisioner(provisioner)
                        .stores(Stores.installed(), "s3"))
                .build()
                .start();
        try {
            started.awaitReady();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return started;
    }

    /** Who holds the lease of {@link #controller}; empty if nobody does. */
    String leaseHolder() {
        return Optional.ofNullable(admin().leases()
                        .inNamespace(namespace)
                        .withName(RoleLeaseName.of(
                                "buckets", provisioner(), RoleLeaseName.DEFAULT_PROVISIONER, namespace))
                        .get())
                .map(lease -> lease.getSpec().getHolderIdentity())
                .orElse("");
    }

    public Map<String, String> s3Parameters(Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(
                Map.of("endpoint", access.endpoint(), "secretName", "administrator", "secretNamespace", namespace));
        parameters.putAll(
                kind == StoreKind.S3
                        ? Map.of("iamEndpoint", access.iamEndpoint())
                        : Map.of("identity", kind.text(), "readTimeout", "60s"));
        parameters.putAll(more);
        return parameters;
    }

    /** A class of the store. */
    String s3Class(String suffix) {
        return s3Class(suffix, Map.of());
    }

    String s3Class(String suffix, Map<String, String> more) {
        return storageClass(suffix, s3Parameters(more));
    }

    String storageClass(String suffix, Map<String, String> parameters) {
        return storageClass(suffix, parameters, provisioner());
    }

    public String storageClass(String suffix, Map<String, String> parameters, String provisioner) {
        String name = namespace + "-" + suffix;
        admin().resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withProvisioner(provisioner)
                        .withParameters(parameters)
                        .build())
                .create();
        cleanUps.add(
                () -> admin().storage().v1().storageClasses().withName(name).delete());
        return name;
    }

    ObjectBucketClaim claim(String name, ObjectBucketClaimSpec.Builder spec) {
        return admin().resource(claimOf(name, spec)).create();
    }

    /** Creates a claim and waits until it is Bound. */
    public void bind(String name, ObjectBucketClaimSpec.Builder spec) {
        claim(name, spec);
        awaitBound(name);
    }

    /** A claim of the class. */
    static ObjectBucketClaimSpec.Builder ofClass(String storageClass) {
        return ObjectBucketClaimSpec.builder().storageClassName(storageClass);
    }

    /** A claim for a new bucket. */
    public static ObjectBucketClaimSpec.Builder newBucket(String storageClass) {
        return ofClass(storageClass).generateBucketName("photos");
    }

    /** A claim for the bucket of this name. */
    static ObjectBucketClaimSpec.Builder bucketNamed(String storageClass, String bucket) {
        return ofClass(storageClass).bucketName(bucket);
    }

    ObjectBucketClaim claimOf(String name, ObjectBucketClaimSpec.Builder spec) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        claim.setSpec(spec.build());
        return claim;
    }

    /** Claims {@code mine-0}, {@code mine-1} and so on for new buckets, created as fast as the server accepts them. */
    void claims(int count, String storageClass) {
        inParallel(count, i -> claim("mine-" + i, newBucket(storageClass)));
    }

    static void inParallel(int count, IntConsumer work) {
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<? extends Future<?>> all = IntStream.range(0, count)
                    .mapToObj(i -> clients.submit(() -> work.accept(i)))
                    .toList();
            for (Future<?> one : all) {
                try {
                    one.get();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(e);
                } catch (ExecutionException e) {
                    throw new AssertionError(e.getCause());
                }
            }
        }
    }

    Resource<ObjectBucketClaim> at(String name) {
        return admin().resources(ObjectBucketClaim.class).inNamespace(namespace).withName(name);
    }

    ObjectBucketClaim get(String name) {
        return at(name).require();
    }

    List<ObjectBucketClaim> claims() {
        return admin().resources(ObjectBucketClaim.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private boolean hasNoClaims() {
        return admin().resources(ObjectBucketClaim.class)
                .inNamespace(namespace)
                .list(new ListOptionsBuilder().withLimit(1L).build())
                .getItems()
                .isEmpty();
    }

    /** The ObjectBuckets of this scenario's provisioner, and of those whose names begin with it. */
    List<ObjectBucket> objectBuckets() {
        return admin().resources(ObjectBucket.class).list().getItems().stream()
                .filter(bucket -> bucket.getSpec()
                        .recordedIntent()
                        .filter(intent -> intent.provisioner().startsWith(provisioner()))
                        .isPresent())
                .toList();
    }

    /** The ObjectBucket of the claim with that name. */
    Optional<ObjectBucket> objectBucket(String claim) {
        return objectBuckets().stream()
                .filter(bucket -> bucket.getSpec()
                        .recordedIntent()
                        .orElseThrow()
                        .claimName()
                        .equals(claim))
                .findFirst();
    }

    /** The recorded state of the claim with that name. */
    Map<String, String> state(String claim) {
        return objectBucket(claim).map(bucket -> bucket.getSpec().state()).orElse(Map.of());
    }

    /** The name of the bucket of the claim with that name. */
    String bucket(String claim) {
        return get(claim).getSpec().bucket().orElseThrow();
    }

    /** Changes the claim as it is on the server now. */
    void edit(String claim, Consumer<ObjectBucketClaim> change) {
        cluster.edit(get(claim), change);
    }

    /** Requests a rotation. */
    void rotate(String claim, String at) {
        edit(claim, edited -> edited.getMetadata().getAnnotations().put("bucketwright.io/rotate-at", at));
    }

    /** Whether that rotation is complete and the previous key is revoked. */
    boolean isRotated(String claim, String at) {
        return objectBucket(claim)
                .map(bucket -> new RecordedBucket(bucket).grants())
                .filter(grants ->
                        at.equals(grants.rotatedFor()) && grants.ending().isEmpty())
                .isPresent();
    }

    void setVersioned(String claim) {
        edit(
                claim,
                edited -> edited.setSpec(
                        edited.getSpec().toBuilder().versioned(true).build()));
    }

    boolean isBound(String claim) {
        return get(claim).phase() == Phase.BOUND;
    }

    /** Whether neither the claim nor its ObjectBucket exists. */
    boolean isDeleted(String claim) {
        return at(claim).get() == null && objectBucket(claim).isEmpty();
    }

    /** Whether the claim is Bound in its current generation. */
    boolean isUpToDate(String name) {
        ObjectBucketClaim claim = get(name);
        return ready(name).startsWith("Bound: ")
                && Optional.ofNullable(claim.getStatus())
                        .flatMap(status -> status.condition("Ready"))
                        .filter(ready -> claim.getMetadata().getGeneration().equals(ready.getObservedGeneration()))
                        .isPresent();
    }

    long bound() {
        return claims().stream().filter(claim -> claim.phase() == Phase.BOUND).count();
    }

    void awaitBound(String name) {
        await(name + " to be Bound").until(() -> isBound(name));
    }

    /** Everything Bound, also after the controller has seen all changes. */
    void awaitAllBound(int count) {
        // A watch: to list a thousand claims again and again would slow down the controller that binds them.
        try (SharedIndexInformer<ObjectBucketClaim> informer = admin().resources(ObjectBucketClaim.class)
                .inNamespace(namespace)
                .inform()) {
            await(count + " claims to be Bound")
                    .atMost(MANY_CLAIMS)
                    .until(() -> informer.getStore().list().stream()
                                    .filter(claim -> claim.phase() == Phase.BOUND)
                                    .count()
                            == count);
        }
        awaitSettled();
        assertThat(bound()).isEqualTo(count);
    }

    /**
     * Waits until the controller has seen everything that was written so far: until it has rejected a claim created now.
     * That claim names no bucket, so nothing is written to the store.
     */
    void awaitSettled() {
        String sentinel = Sentinel.newName();
        String storageClass = s3Class(sentinel, Map.of("reclaimPolicy", "no-such-policy"));
        claim(sentinel, newBucket(storageClass));
        await("the sentinel to be rejected").until(() -> !ready(sentinel).isEmpty());
        delete(sentinel);
    }

    /** Waits until the claim's Ready condition has that reason, and returns reason and message. */
    String awaitReason(String name, String reason) {
        await(name + " to report " + reason).until(() -> ready(name).startsWith(reason + ": "));
        return ready(name);
    }

    /** Reason and message of the claim's Ready condition; empty if it has none. */
    String ready(String name) {
        return Optional.ofNullable(get(name).getStatus())
                .flatMap(status -> status.condition("Ready"))
                .map(condition -> condition.getReason() + ": " + condition.getMessage())
                .orElse("");
    }

    Map<String, String> config(String name) {
        return admin().configMaps()
                .inNamespace(namespace)
                .withName(name)
                .require()
                .getData();
    }

    /** The Secret's content in clear. */
    Map<String, String> keys(String name) {
        return TestCluster.decoded(
                admin().secrets().inNamespace(namespace).withName(name).require());
    }

    boolean works(String name) {
        return StoreView.works(config(name), keys(name));
    }

    /** Buckets that did not exist when the scenario began. */
    Set<String> newBuckets() {
        Set<String> buckets = store.buckets();
        buckets.removeAll(foreignBuckets);
        return buckets;
    }

    Set<String> newUsers() {
        Set<String> users = store.users();
        users.removeAll(foreignUsers);
        return users;
    }

    /** For each claim one ObjectBucket, one bucket, one user and one key, and nothing beside them. */
    void assertNoDuplicates() {
        List<ObjectBucketClaim> claims = claims();
        assertThat(objectBuckets()).hasSameSizeAs(claims);
        assertThat(newBuckets())
                .containsExactlyInAnyOrderElementsOf(claims.stream()
                        .map(claim -> claim.getSpec().bucket().orElseThrow())
                        .toList());
        List<String> users = List.copyOf(newUsers());
        assertThat(users)
                .containsExactlyInAnyOrderElementsOf(claims.stream()
                        .map(claim -> "bw-" + claim.getMetadata().getUid())
                        .toList());
        // A key that a crash left unpublished is deleted half a minute later.
        inParallel(users.size(), i -> await("one key of " + users.get(i)).until(() -> store.keysOf(users.get(i)) == 1));
    }

    /** As {@link #assertNoDuplicates}, and all keys give access. */
    void assertAllWork() {
        assertNoDuplicates();
        assertThat(claims())
                .isNotEmpty()
                .allMatch(claim -> works(claim.getMetadata().getName()));
    }

    /** Deletes the claim and waits until it is deleted. */
    public void delete(String name) {
        at(name).delete();
        awaitDeleted(name);
    }

    void awaitDeleted(String name) {
        await(name + " to be deleted").until(() -> at(name).get() == null);
    }

    void deleteAll() {
        List<ObjectBucketClaim> claims = claims();
        inParallel(claims.size(), i -> admin().resource(claims.get(i)).delete());
        await("all claims to be deleted")
                .atMost(MANY_CLAIMS)
                .until(() -> hasNoClaims() && objectBuckets().isEmpty());
    }

    /** Deletes all claims; nothing is left in the store. */
    void assertAllCanBeDeleted() {
        deleteAll();
        assertNothingIsLeft();
    }

    void assertNothingIsLeft() {
        Set<String> users = newUsers();
        assertThat(newBuckets()).as("in %s, with users %s", kind, users).isEmpty();
        assertThat(users).as("users in %s", kind).isEmpty();
    }

    public static ConditionFactory await(String what) {
        return Eventually.await(what).pollInterval(Duration.ofMillis(200));
    }

    @Override
    public void close() {
        cleanUps.forEach(Runnable::run);
        // The controllers have stopped: without this, finalizers keep the namespace forever.
        Stream.<List<? extends HasMetadata>>of(
                        claims(),
                        objectBuckets(),
                        admin().secrets().inNamespace(namespace).list().getItems(),
                        admin().configMaps().inNamespace(namespace).list().getItems())
                .flatMap(List::stream)
                .filter(object -> !object.getMetadata().getFinalizers().isEmpty())
                .forEach(cluster::forceDelete);
        store.close();
    }
}
