package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.testing.ApiUser;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
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
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A namespace with claims, classes of a provisioner of its own, and what became of them in cluster and store. */
final class Scenario implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final int HANDS = 8;

    private final LocalCluster local;
    private final KubernetesClient admin;
    private final String namespace;
    private final Path folder;
    private final StoreView store;
    private final Set<String> foreignBuckets;
    private final Set<String> foreignUsers;
    private final List<Runnable> cleanUps = new CopyOnWriteArrayList<>();

    /** What is in the store already is not this scenario's. */
    Scenario(LocalCluster local, String namespace, Path folder) {
        this.local = local;
        this.namespace = namespace;
        this.folder = folder;
        this.admin = new ApiUser("admin", local.kubeconfig()).client();
        this.store = new StoreView(access());
        this.foreignBuckets = store.buckets();
        this.foreignUsers = store.users();
        install();
    }

    private void install() {
        Deployed.apply(admin);
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .serverSideApply();
        admin.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("administrator")
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToStringData("AWS_ACCESS_KEY_ID", access().accessKeyId())
                        .addToStringData("AWS_SECRET_ACCESS_KEY", access().secretAccessKey())
                        .build())
                .create();
    }

    KubernetesClient admin() {
        return admin;
    }

    String namespace() {
        return namespace;
    }

    /** The administrator's. */
    Path kubeconfig() {
        return local.kubeconfig();
    }

    StoreView store() {
        return store;
    }

    StoreAccess access() {
        return local.s3().orElseThrow();
    }

    String provisioner() {
        return namespace + ".test/bucket";
    }

    /** The service account of deploy/rbac.yaml. */
    ApiUser account() {
        String token = admin.serviceAccounts()
                .inNamespace("bucketwright")
                .withName("bucketwright-buckets")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        try {
            String kubeconfig = Files.readString(local.kubeconfig())
                    .replaceAll("(?s)client-certificate-data: \\S+\\s+client-key-data: \\S+", "token: " + token);
            return new ApiUser(
                    "system:serviceaccount:bucketwright:bucketwright-buckets",
                    Files.writeString(folder.resolve("kubeconfig-" + namespace), kubeconfig));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The installed command with the rights of deploy/rbac.yaml, for this scenario's classes and namespace. */
    Installed controller(String name, String... more) {
        List<String> words = new ArrayList<>(List.of("--provisioner=" + provisioner(), "--namespace=" + namespace));
        words.addAll(List.of(more));
        return Installed.controller(account(), folder, name, words.toArray(String[]::new));
    }

    Map<String, String> s3Parameters() {
        return Map.of(
                "endpoint",
                access().endpoint(),
                "iamEndpoint",
                access().iamEndpoint(),
                "secretName",
                "administrator",
                "secretNamespace",
                namespace);
    }

    Map<String, String> s3Parameters(Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(s3Parameters());
        parameters.putAll(more);
        return parameters;
    }

    String storageClass(String suffix, Map<String, String> parameters) {
        return storageClass(suffix, parameters, provisioner());
    }

    String storageClass(String suffix, Map<String, String> parameters, String whose) {
        String name = namespace + "-" + suffix;
        admin.resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withProvisioner(whose)
                        .withParameters(parameters)
                        .build())
                .create();
        cleanUps.add(() -> admin.storage().v1().storageClasses().withName(name).delete());
        return name;
    }

    ObjectBucketClaim claim(String name, ObjectBucketClaimSpec.Builder spec) {
        return admin.resource(claimOf(name, spec)).create();
    }

    ObjectBucketClaim claimOf(String name, ObjectBucketClaimSpec.Builder spec) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        claim.setSpec(spec.build());
        return claim;
    }

    /** Claims {@code mine-0}, {@code mine-1} and so on for new buckets, made as fast as the server takes them. */
    void claims(int count, String storageClass) {
        inParallel(
                count,
                i -> claim(
                        "mine-" + i,
                        ObjectBucketClaimSpec.builder()
                                .storageClassName(storageClass)
                                .generateBucketName("photos")));
    }

    static void inParallel(int count, IntConsumer work) {
        try (ExecutorService hands = Executors.newFixedThreadPool(HANDS)) {
            List<? extends Future<?>> all = IntStream.range(0, count)
                    .mapToObj(i -> hands.submit(() -> work.accept(i)))
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
        return admin.resources(ObjectBucketClaim.class).inNamespace(namespace).withName(name);
    }

    ObjectBucketClaim get(String name) {
        return at(name).require();
    }

    List<ObjectBucketClaim> claims() {
        return admin.resources(ObjectBucketClaim.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    /** The ObjectBuckets of this scenario's provisioner, and of those whose names begin with it. */
    List<ObjectBucket> objectBuckets() {
        return admin.resources(ObjectBucket.class).list().getItems().stream()
                .filter(bucket -> bucket.getSpec()
                        .recordedIntent()
                        .filter(intent -> intent.provisioner().startsWith(provisioner()))
                        .isPresent())
                .toList();
    }

    long bound() {
        return claims().stream().filter(claim -> claim.phase() == Phase.BOUND).count();
    }

    void awaitBound(String name) {
        await(name + " to be Bound").until(() -> get(name).phase() == Phase.BOUND);
    }

    /** Everything Bound, and nothing moves any more. */
    void awaitAllBound(int count) {
        await(count + " claims to be Bound").pollInterval(Duration.ofSeconds(1)).until(() -> bound() == count);
        awaitQuiet();
        assertThat(bound()).isEqualTo(count);
    }

    /** Waits until the claim's Ready condition has that reason, and gives its message. */
    String awaitReason(String name, String reason) {
        await(name + " to say " + reason).until(() -> said(name).startsWith(reason + ": "));
        return said(name);
    }

    String said(String name) {
        return Optional.ofNullable(get(name).getStatus())
                .flatMap(status -> status.condition("Ready"))
                .map(condition -> condition.getReason() + ": " + condition.getMessage())
                .orElse("");
    }

    void awaitQuiet() {
        List<String> seen = new ArrayList<>();
        Awaitility.await("quiet")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1500))
                .until(() -> {
                    List<String> now = versions();
                    boolean same = now.equals(seen);
                    seen.clear();
                    seen.addAll(now);
                    return same;
                });
    }

    private List<String> versions() {
        return Stream.<List<? extends HasMetadata>>of(
                        claims(),
                        objectBuckets(),
                        admin.secrets().inNamespace(namespace).list().getItems(),
                        admin.configMaps().inNamespace(namespace).list().getItems())
                .flatMap(List::stream)
                .map(it -> it.getMetadata().getUid() + " " + it.getMetadata().getResourceVersion())
                .toList();
    }

    Map<String, String> config(String name) {
        return admin.configMaps()
                .inNamespace(namespace)
                .withName(name)
                .require()
                .getData();
    }

    /** The Secret's content in clear. */
    Map<String, String> keys(String name) {
        return admin.secrets().inNamespace(namespace).withName(name).require().getData().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new String(Base64.getDecoder().decode(entry.getValue()), StandardCharsets.UTF_8)));
    }

    boolean works(String name) {
        return StoreView.works(config(name), keys(name));
    }

    /** Buckets that were not there when the scenario began. */
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
    void assertNothingIsThereTwice() {
        List<ObjectBucketClaim> claims = claims();
        assertThat(objectBuckets()).hasSameSizeAs(claims);
        assertThat(newBuckets())
                .containsExactlyInAnyOrderElementsOf(claims.stream()
                        .map(claim -> claim.getSpec().bucket().orElseThrow())
                        .toList());
        assertThat(newUsers())
                .containsExactlyInAnyOrderElementsOf(claims.stream()
                        .map(claim -> "bw-" + claim.getMetadata().getUid())
                        .toList());
        assertThat(newUsers()).allSatisfy(user -> assertThat(store.keysOf(user)).isEqualTo(1));
    }

    void deleteAll() {
        admin.resources(ObjectBucketClaim.class).inNamespace(namespace).delete();
        await("all claims to be gone")
                .until(() -> claims().isEmpty() && objectBuckets().isEmpty());
    }

    void assertNothingIsLeft() {
        assertThat(newBuckets()).isEmpty();
        assertThat(newUsers()).isEmpty();
    }

    static ConditionFactory await(String what) {
        return Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .ignoreExceptionsInstanceOf(KubernetesClientException.class);
    }

    @Override
    public void close() {
        cleanUps.forEach(Runnable::run);
        // Where nobody is left to take finalizers off, the namespace would stay for ever.
        Stream.<List<? extends HasMetadata>>of(
                        claims(),
                        objectBuckets(),
                        admin.secrets().inNamespace(namespace).list().getItems(),
                        admin.configMaps().inNamespace(namespace).list().getItems())
                .flatMap(List::stream)
                .filter(it -> !it.getMetadata().getFinalizers().isEmpty())
                .forEach(this::force);
        store.close();
        admin.close();
    }

    private void force(HasMetadata object) {
        try {
            admin.resource(object).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            admin.resource(object).delete();
        } catch (KubernetesClientException e) {
            // Somebody else was faster, which is as good.
            assertThat(e.getCode()).isIn(404, 409);
        }
    }
}
