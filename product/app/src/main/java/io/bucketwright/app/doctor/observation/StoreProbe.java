package io.bucketwright.app.doctor.observation;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.app.doctor.observation.StoreAnswer.Result;
import io.bucketwright.app.options.PublishedSettings;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.buckets.stores.AdministratorSecrets;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.Stores;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.observation.StoreOperation;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.parameters.Parameter;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses classes as the buckets controller does, and sends the read requests to their stores that precede each claim. */
final class StoreProbe implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final KubernetesClient client;
    private final ServedProvisioners provisioners;
    /** By kind of store. */
    private final Map<String, ClassStores> stores = new HashMap<>();

    StoreProbe(KubernetesClient client, ServedProvisioners provisioners) {
        this.client = client;
        this.provisioners = provisioners;
    }

    private ClassStores stores(String kind) {
        return stores.computeIfAbsent(
                kind, _ -> new ClassStores(Stores.installed(), kind, AdministratorSecrets.of(client)));
    }

    /** Sends no request. The class is invalid only if all controllers of its provisioner refuse it. */
    ParsedClass parse(StorageClass storageClass) {
        List<ParsedClass> parsed = provisioners.of(storageClass.getProvisioner()).stream()
                .map(settings -> parse(storageClass, settings))
                .toList();
        return parsed.stream()
                .filter(found -> found.problem().isEmpty())
                .findFirst()
                .orElseGet(parsed::getFirst);
    }

    private ParsedClass parse(StorageClass storageClass, PublishedSettings settings) {
        @Nullable Map<String, String> ofClass = storageClass.getParameters();
        Map<String, String> parameters = new TreeMap<>(settings.classDefaults());
        parameters.putAll(ofClass == null ? Map.of() : ofClass);
        @Nullable String policy = storageClass.getReclaimPolicy();
        try {
            BucketClass parsed = BucketClass.read(
                    new BucketClassRef(
                            storageClass.getMetadata().getName(),
                            storageClass.getMetadata().getUid(),
                            parameters),
                    policy == null ? "" : policy);
            ClassStore _ = stores(settings.store()).of(parsed);
            return new ParsedClass(storageClass, settings.store(), Optional.of(parsed), "");
        } catch (Invalid e) {
            return new ParsedClass(storageClass, settings.store(), Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * Why the driver of a class refuses its parameters; empty if it does not. Only the usual names of Bucketwright's drivers,
     * {@code STORE.bucketwright.io}, say which parameters there are.
     */
    String refusal(ReleasedBucketClass released) {
        String driver = released.getDriverName().toLowerCase(Locale.ROOT);
        try (Stores installed = Stores.installed()) {
            return installed.names().stream()
                    .filter(kind -> driver.equals(kind + ".bucketwright.io"))
                    .findFirst()
                    .map(kind -> refusal(installed.factory(kind), released.getParameters()))
                    .orElse("");
        }
    }

    private static String refusal(StoreFactory store, Map<String, String> parameters) {
        Map<String, Parameter> known =
                store.parameters().all().stream().collect(Collectors.toMap(Parameter::name, parameter -> parameter));
        Map<String, String> options = new TreeMap<>(parameters);
        options.keySet().removeAll(known.keySet());
        try {
            BucketOptions _ = BucketOptions.parse(options);
            known.forEach((name, parameter) ->
                    Optional.ofNullable(parameters.get(name)).ifPresent(parameter.check()));
            return "";
        } catch (Invalid e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Asks the store of a class, with the Secret that the class names. */
    StoreAnswer ask(String kind, BucketClass bucketClass) {
        SecretName secret = bucketClass.administrator();
        Optional<StoreAnswer> unreadable = secret.isEmpty() ? Optional.empty() : unreadable(bucketClass.name(), secret);
        return unreadable.orElseGet(() -> request(stores(kind), bucketClass));
    }

    private Optional<StoreAnswer> unreadable(String name, SecretName secret) {
        try {
            @Nullable
            Secret found = client.secrets()
                    .inNamespace(secret.namespace())
                    .withName(secret.name())
                    .get();
            return found == null
                    ? Optional.of(new StoreAnswer(
                            name, Result.SECRET_MISSING, "The administrator Secret " + secret + " does not exist."))
                    : Optional.empty();
        } catch (KubernetesClientException e) {
            return Optional.of(new StoreAnswer(
                    name,
                    e.getCode() == HttpURLConnection.HTTP_FORBIDDEN ? Result.SECRET_FORBIDDEN : Result.FAILED,
                    "The administrator Secret " + secret + " cannot be read: " + Requests.message(e)));
        }
    }

    private static StoreAnswer request(ClassStores stores, BucketClass bucketClass) {
        // A bucket and an owner that do not exist: the store looks for both and finds nothing.
        String unused = UUID.randomUUID().toString();
        BucketName bucket = bucketClass.existingBucket().orElseGet(() -> new BucketName("doctor-" + unused));
        try {
            return stores.of(bucketClass).use(store -> {
                StoreCall call = StoreCall.within(LIMIT);
                store.run(StoreOperation.CHECK, call, s -> s.check(call, bucket, new BucketOwner(unused, unused)));
                return new StoreAnswer(bucketClass.name(), Result.OK, "");
            });
        } catch (StoreException e) {
            return new StoreAnswer(bucketClass.name(), result(e), e.getMessage() + endpoint(bucketClass));
        }
    }

    /** Only the host: no part of an address that could be a secret. */
    private static String endpoint(BucketClass bucketClass) {
        String endpoint = bucketClass.reference().parameters().getOrDefault("endpoint", "");
        try {
            @Nullable String host = new URI(endpoint).getHost();
            return host == null ? "" : " The endpoint is at " + host + ".";
        } catch (URISyntaxException e) {
            return "";
        }
    }

    private static Result result(StoreException e) {
        return switch (e) {
            case Denied _ -> Result.DENIED;
            case Unavailable unavailable when isUnknownHost(unavailable) -> Result.NOT_RESOLVED;
            case Unavailable _ -> Result.UNREACHABLE;
            default -> Result.FAILED;
        };
    }

    private static boolean isUnknownHost(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        stores.values().forEach(ClassStores::close);
    }
}
