package io.bucketwright.app.claim;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.command.ObjectTime;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.AdministratorSecrets;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
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

/** Reads and changes claims with the permissions of the user. Errors are a {@link CommandException} with one sentence. */
final class ClaimClient implements AutoCloseable {

    private final KubernetesClient client;

    private ClaimClient(KubernetesClient client) {
        this.client = client;
    }

    static ClaimClient open(ApiServerOptions server) {
        return new ClaimClient(server.open());
    }

    /**
     * Claims by namespace and name.
     *
     * @param namespace empty for all
     */
    List<ObjectBucketClaim> claims(String namespace) {
        String where = namespace.isEmpty() ? "all namespaces" : "namespace " + namespace;
        return ask("list the claims of " + where, () -> list(ObjectBucketClaim.class, namespace)).stream()
                .sorted(Comparator.comparing(
                                (ObjectBucketClaim claim) -> claim.getMetadata().getNamespace())
                        .thenComparing(claim -> claim.getMetadata().getName()))
                .toList();
    }

    private <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
        return namespace.isEmpty()
                ? client.resources(type).inAnyNamespace().list().getItems()
                : client.resources(type).inNamespace(namespace).list().getItems();
    }

    /** @param namespace empty for a cluster-scoped kind */
    private <T extends HasMetadata> Optional<T> get(Class<T> type, String namespace, String name) {
        return Optional.ofNullable(
                namespace.isEmpty()
                        ? client.resources(type).withName(name).get()
                        : client.resources(type)
                                .inNamespace(namespace)
                                .withName(name)
                                .get());
    }

    /** The current state of a claim. */
    Optional<ObjectBucketClaim> find(ObjectBucketClaim claim) {
        return find(claim.getMetadata().getNamespace(), claim.getMetadata().getName());
    }

    Optional<ObjectBucketClaim> find(String namespace, String name) {
        return ask("read claim " + namespace + "/" + name, () -> get(ObjectBucketClaim.class, namespace, name));
    }

    /** As {@link #read(String, String)}. */
    ObjectBucketClaim read(ObjectBucketClaim claim) {
        return read(claim.getMetadata().getNamespace(), claim.getMetadata().getName());
    }

    /**
     * A claim that must exist.
     *
     * @throws CommandException if it does not exist
     */
    ObjectBucketClaim read(String namespace, String name) {
        return find(namespace, name)
                .orElseThrow(() -> new CommandException("Claim " + namespace + "/" + name
                        + " does not exist. `bucketwright claim list -A` lists all claims."));
    }

    /**
     * What a read found.
     *
     * @param allowed whether the user may read it; if not, nobody knows whether it exists
     */
    record Lookup<T>(boolean allowed, Optional<T> object) {}

    /** An object that may not exist, and that the user may not be allowed to read; none of an empty name. */
    <T extends HasMetadata> Lookup<T> lookup(Class<T> type, String namespace, String name) {
        if (name.isEmpty()) {
            return new Lookup<>(true, Optional.empty());
        }
        try {
            return new Lookup<>(true, get(type, namespace, name));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return new Lookup<>(false, Optional.empty());
            }
            throw failure("read " + type.getSimpleName() + " " + name, e);
        }
    }

    /**
     * The objects of a kind; empty if the user may not list them, or if the kind is not installed.
     *
     * @param namespace empty for all
     */
    <T extends HasMetadata> Optional<List<T>> listIfAllowed(Class<T> type, String namespace) {
        return ifAllowed(() -> list(type, namespace));
    }

    /** The ObjectBuckets by the uid of their claim; empty if the user may not list them, like most tenants. */
    Map<String, ObjectBucket> buckets() {
        return listIfAllowed(ObjectBucket.class, "").orElse(List.of()).stream()
                .filter(bucket -> claimUid(bucket).isPresent())
                .collect(Collectors.toMap(bucket -> claimUid(bucket).orElseThrow(), bucket -> bucket, (one, _) -> one));
    }

    /** All ObjectBuckets. */
    List<ObjectBucket> allObjectBuckets() {
        return ask("list ObjectBuckets", () -> list(ObjectBucket.class, ""));
    }

    /**
     * All objects of a kind; empty if its API is not installed.
     *
     * @throws CommandException if the cluster has that API only in other versions: what they contain is not known
     */
    <T extends HasMetadata> List<T> allOf(Class<T> type) {
        try {
            return list(type, "");
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                requireKnownVersion(HasMetadata.getGroup(type), HasMetadata.getVersion(type));
                return List.of();
            }
            throw failure("list " + HasMetadata.getFullResourceName(type), e);
        }
    }

    private void requireKnownVersion(String group, String version) {
        List<String> served = ask(
                "find the versions of " + group,
                () ->
                        Optional.ofNullable(client.getApiGroup(group))
                                .map(APIGroup::getVersions)
                                .orElse(List.of())
                                .stream()
                                .map(GroupVersionForDiscovery::getVersion)
                                .toList());
        if (!served.isEmpty() && !served.contains(version)) {
            throw new CommandException("The cluster has " + group + " only in version " + String.join(", ", served)
                    + ", and this release knows " + version + ". So it is not known which buckets are in use.");
        }
    }

    /** The ObjectBucket of a claim; empty if it does not exist or the user may not read it. */
    Optional<ObjectBucket> bucketOf(ObjectBucketClaim claim) {
        return claim.getSpec()
                .objectBucket()
                .flatMap(name -> ifAllowed(() -> get(ObjectBucket.class, "", name)))
                .flatMap(found -> found)
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
                .sorted(Comparator.comparing(ObjectTime::of))
                .toList();
    }

    /** The names of the keys in the claim's Secret, never their values; empty if it does not exist or may not be read. */
    Set<String> secretKeys(ObjectBucketClaim claim) {
        String name = Optional.ofNullable(claim.getSpec().secretRef())
                .map(ObjectReference::getName)
                .orElse(claim.getMetadata().getName());
        return ifAllowed(() -> get(Secret.class, claim.getMetadata().getNamespace(), name))
                .flatMap(found -> found)
                .map(Secret::getData)
                .map(data -> new TreeSet<>(data.keySet()))
                .orElse(new TreeSet<>());
    }

    boolean isClassMissing(ObjectBucketClaim claim) {
        return claim.getSpec().storageClass().filter(name -> !hasClass(name)).isPresent();
    }

    boolean hasClass(String name) {
        // Unknown to a user who may not read classes: then it is not reported as missing.
        return ifAllowed(() -> get(StorageClass.class, "", name))
                .filter(Optional::isEmpty)
                .isEmpty();
    }

    /**
     * A class that must exist.
     *
     * @throws CommandException if it does not exist
     */
    StorageClass readClass(String name) {
        return ask("read StorageClass " + name, () -> get(StorageClass.class, "", name))
                .orElseThrow(() -> new CommandException("StorageClass " + name + " does not exist."));
    }

    /**
     * A class that must exist, with its parameters.
     *
     * @throws CommandException if it does not exist
     * @throws Invalid if a parameter is invalid
     */
    BucketClass bucketClass(String name) {
        StorageClass found = readClass(name);
        return BucketClass.read(
                new BucketClassRef(
                        name,
                        found.getMetadata().getUid(),
                        Optional.ofNullable(found.getParameters()).orElse(Map.of())),
                found.getReclaimPolicy());
    }

    /** @param what the object, for the error message */
    void create(String what, HasMetadata object) {
        HasMetadata _ = ask("create " + what, () -> client.resource(object).create());
    }

    /** The cluster id in the ownership tags of buckets. */
    String clusterId() {
        return namespaceUid("kube-system");
    }

    /** The uid of a namespace that exists. */
    String namespaceUid(String namespace) {
        return ask("read namespace " + namespace, () -> get(Namespace.class, "", namespace))
                .orElseThrow(() -> new CommandException("Namespace " + namespace + " does not exist."))
                .getMetadata()
                .getUid();
    }

    ClassStores stores(String kind) {
        return new ClassStores(Stores.installed(), kind, AdministratorSecrets.of(client));
    }

    /** @param what the object, for the error message */
    void annotate(String what, HasMetadata object, String key, String value) {
        String patch = Serialization.asJson(
                Map.of("metadata", Map.of("uid", object.getMetadata().getUid(), "annotations", Map.of(key, value))));
        HasMetadata _ = ask(
                "change " + what, () -> client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    void delete(ObjectBucketClaim claim) {
        List<?> _ = ask(
                "delete claim " + ClaimText.key(claim),
                () -> client.resource(claim).delete());
    }

    @Override
    public void close() {
        client.close();
    }

    private static Optional<String> claimUid(ObjectBucket bucket) {
        return bucket.getSpec().claim().flatMap(reference -> Optional.ofNullable(reference.getUid()));
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
            throw failure("read the objects of the claim", e);
        }
    }

    private static CommandException failure(String what, KubernetesClientException e) {
        String server = ApiServerOptions.reason(e);
        if (e.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return ApiServerOptions.unauthorized(e);
        }
        return new CommandException(
                switch (e.getCode()) {
                    case HttpURLConnection.HTTP_FORBIDDEN -> "Forbidden: cannot " + what + ": " + server + ".";
                    case HttpURLConnection.HTTP_NOT_FOUND ->
                        "Cannot " + what
                                + ": the namespace does not exist, or the ObjectBucketClaim CRD is not installed;"
                                + " `bucketwright crds --only buckets | kubectl apply --server-side"
                                + " --field-manager bucketwright -f -` installs it.";
                    case HttpURLConnection.HTTP_CONFLICT ->
                        "Cannot " + what + ": it already exists, or it was changed at the same time.";
                    default -> "Cannot " + what + ": " + server + ".";
                },
                e);
    }
}
