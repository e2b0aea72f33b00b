package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.Failure;
import io.bucketwright.buckets.stores.AdministratorSecrets;
import io.bucketwright.buckets.stores.StoreOfClass;
import io.bucketwright.store.Stores;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The claims of a cluster, with the rights of whoever asks. What goes wrong is a {@link Failure} of one sentence. */
final class Claims implements AutoCloseable {

    private final KubernetesClient client;

    private Claims(KubernetesClient client) {
        this.client = client;
    }

    static Claims open(Config config) {
        return new Claims(new KubernetesClientBuilder().withConfig(config).build());
    }

    List<ObjectBucketClaim> all() {
        return sorted(ask(
                "list the claims of all namespaces",
                () -> client.resources(ObjectBucketClaim.class)
                        .inAnyNamespace()
                        .list()
                        .getItems()));
    }

    List<ObjectBucketClaim> in(String namespace) {
        return sorted(ask(
                "list the claims of namespace " + namespace,
                () -> client.resources(ObjectBucketClaim.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems()));
    }

    Optional<ObjectBucketClaim> find(String namespace, String name) {
        return ask(
                "read claim " + namespace + "/" + name,
                () -> Optional.ofNullable(claim(namespace, name).get()));
    }

    /**
     * A claim that must be there.
     *
     * @throws Failure if it is not
     */
    ObjectBucketClaim read(String namespace, String name) {
        return find(namespace, name)
                .orElseThrow(() -> new Failure("There is no claim " + namespace + "/" + name
                        + ": `bucketwright claim list -A` shows what there is."));
    }

    /** The ObjectBuckets by the uid of their claim; none for those who may not see them, as most tenants may not. */
    Map<String, ObjectBucket> buckets() {
        return ifAllowed(() -> client.resources(ObjectBucket.class).list().getItems()).orElse(List.of()).stream()
                .filter(bucket -> claimUid(bucket).isPresent())
                .collect(Collectors.toMap(bucket -> claimUid(bucket).orElseThrow(), bucket -> bucket, (one, _) -> one));
    }

    /** The ObjectBucket that a claim names. Empty if it is not there, or not for these eyes. */
    Optional<ObjectBucket> bucketOf(ObjectBucketClaim claim) {
        return claim.getSpec()
                .objectBucket()
                .flatMap(name -> ifAllowed(() ->
                        client.resources(ObjectBucket.class).withName(name).get()))
                .filter(bucket -> claimUid(bucket)
                        .filter(claim.getMetadata().getUid()::equals)
                        .isPresent());
    }

    /** Oldest first. */
    List<Event> events(HasMetadata object, String namespace) {
        return ifAllowed(() -> client.v1()
                        .events()
                        .inNamespace(namespace)
                        .withField("involvedObject.uid", object.getMetadata().getUid())
                        .list()
                        .getItems())
                .orElse(List.of())
                .stream()
                .sorted(Comparator.comparing(ClaimDescription::time))
                .toList();
    }

    /** The names of the keys in the claim's Secret, never their values; empty if it is not there, or not for these eyes. */
    Set<String> secretKeys(ObjectBucketClaim claim) {
        return ifAllowed(() -> client.secrets()
                        .inNamespace(claim.getMetadata().getNamespace())
                        .withName(claim.getMetadata().getName())
                        .get())
                .map(Secret::getData)
                .map(data -> new TreeSet<>(data.keySet()))
                .orElse(new TreeSet<>());
    }

    boolean hasClass(String name) {
        // Who may not look is not told that it is missing.
        return ifAllowed(() -> Stream.ofNullable(client.storage()
                                .v1()
                                .storageClasses()
                                .withName(name)
                                .get())
                        .count())
                .filter(count -> count == 0)
                .isEmpty();
    }

    /**
     * A class that must be there.
     *
     * @throws Failure if it is not
     */
    StorageClass readClass(String name) {
        return ask(
                        "read StorageClass " + name,
                        () -> Optional.ofNullable(client.storage()
                                .v1()
                                .storageClasses()
                                .withName(name)
                                .get()))
                .orElseThrow(() -> new Failure("There is no StorageClass " + name + "."));
    }

    void create(StorageClass storageClass) {
        StorageClass _ = ask(
                "create StorageClass " + storageClass.getMetadata().getName(),
                () -> client.resource(storageClass).create());
    }

    /** What the marks on this cluster's buckets begin with. */
    String clusterId() {
        return ask(
                "read namespace kube-system",
                () -> client.namespaces()
                        .withName("kube-system")
                        .get()
                        .getMetadata()
                        .getUid());
    }

    StoreOfClass stores(String kind) {
        return new StoreOfClass(Stores.installed(), kind, new AdministratorSecrets(client));
    }

    void create(ObjectBucketClaim claim) {
        ObjectBucketClaim _ = ask(
                "create claim " + claim.getMetadata().getNamespace() + "/"
                        + claim.getMetadata().getName(),
                () -> client.resource(claim).create());
    }

    void annotate(ObjectBucketClaim claim, String key, String value) {
        String namespace = claim.getMetadata().getNamespace();
        String name = claim.getMetadata().getName();
        String patch = Serialization.asJson(
                Map.of("metadata", Map.of("uid", claim.getMetadata().getUid(), "annotations", Map.of(key, value))));
        ObjectBucketClaim _ = ask(
                "change claim " + namespace + "/" + name,
                () -> claim(namespace, name).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    void delete(String namespace, String name) {
        List<?> _ = ask(
                "delete claim " + namespace + "/" + name,
                () -> claim(namespace, name).delete());
    }

    @Override
    public void close() {
        client.close();
    }

    private Resource<ObjectBucketClaim> claim(String namespace, String name) {
        return client.resources(ObjectBucketClaim.class).inNamespace(namespace).withName(name);
    }

    private static Optional<String> claimUid(ObjectBucket bucket) {
        return bucket.getSpec().claim().flatMap(reference -> Optional.ofNullable(reference.getUid()));
    }

    private static List<ObjectBucketClaim> sorted(List<ObjectBucketClaim> claims) {
        return claims.stream()
                .sorted(Comparator.comparing(
                                (ObjectBucketClaim claim) -> claim.getMetadata().getNamespace())
                        .thenComparing(claim -> claim.getMetadata().getName()))
                .toList();
    }

    private static <T> T ask(String what, Supplier<T> request) {
        try {
            return request.get();
        } catch (KubernetesClientException e) {
            throw failure(what, e);
        }
    }

    private static <T> Optional<T> ifAllowed(Supplier<T> request) {
        try {
            return Optional.ofNullable(request.get());
        } catch (KubernetesClientException e) {
            boolean refused =
                    e.getCode() == HttpURLConnection.HTTP_FORBIDDEN || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
            if (refused) {
                return Optional.empty();
            }
            throw failure("look at what belongs to the claim", e);
        }
    }

    private static Failure failure(String what, KubernetesClientException e) {
        String server = Optional.ofNullable(e.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getMessage()))
                .or(() -> Optional.ofNullable(e.getMessage()))
                .map(Words::plain)
                .orElse("it gave no reason");
        return new Failure(
                switch (e.getCode()) {
                    case HttpURLConnection.HTTP_UNAUTHORIZED ->
                        "The API server does not know you: check the credentials in your kubeconfig.";
                    case HttpURLConnection.HTTP_FORBIDDEN -> "You may not " + what + ": " + server + ".";
                    case HttpURLConnection.HTTP_NOT_FOUND ->
                        "Could not " + what + ": the namespace is not there, or the cluster has no ObjectBucketClaims;"
                                + " `bucketwright crds | kubectl apply -f -` installs them.";
                    case HttpURLConnection.HTTP_CONFLICT ->
                        "Could not " + what + ": it is there already, or was changed meanwhile.";
                    default -> "Could not " + what + ": " + server + ".";
                },
                e);
    }
}
