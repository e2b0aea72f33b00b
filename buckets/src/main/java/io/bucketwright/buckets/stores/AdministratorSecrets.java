package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.buckets.requests.ContentDigest;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads administrator Secrets: once when first needed, and again after the store rejected the credentials. */
public final class AdministratorSecrets {

    /**
     * A Secret as it was read.
     *
     * @param version changes whenever the Secret does
     */
    public record Version(String version, AdministratorSecret secret) {}

    private static final Version NONE = new Version("", AdministratorSecret.none());

    /** One GET of a Secret; fails with a StoreException. */
    private final Function<SecretName, Optional<Secret>> reader;

    private final Map<SecretName, Version> cached = new ConcurrentHashMap<>();

    private AdministratorSecrets(Function<SecretName, Optional<Secret>> reader) {
        this.reader = reader;
    }

    /** Reads Secrets with the permissions of a controller. */
    public static AdministratorSecrets of(ObjectReader reader) {
        return new AdministratorSecrets(name -> {
            try {
                return reader.read(Secret.class, name.namespace(), name.name());
            } catch (ApiException e) {
                throw e.error() instanceof ApiError.Forbidden
                        ? forbidden(name)
                        : new Unavailable(String.valueOf(e.getMessage()));
            }
        });
    }

    /** Reads Secrets with the permissions of a client, as commands do. */
    public static AdministratorSecrets of(KubernetesClient client) {
        return new AdministratorSecrets(name -> {
            try {
                return Optional.ofNullable(client.secrets()
                        .inNamespace(name.namespace())
                        .withName(name.name())
                        .get());
            } catch (KubernetesClientException e) {
                throw e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                        ? forbidden(name)
                        : new Unavailable("Reading the administrator Secret " + name + " failed: " + e.getMessage());
            }
        });
    }

    private static Denied forbidden(SecretName name) {
        return new Denied("The administrator Secret " + name
                + " cannot be read: allow the service account of the controller to get it.");
    }

    /** @throws Denied if the Secret does not exist or cannot be read */
    Version read(SecretName name) {
        if (name.isEmpty()) {
            return NONE;
        }
        // Not computeIfAbsent: a slow API server must not block readers of other Secrets.
        @Nullable Version version = cached.get(name);
        if (version == null) {
            version = get(name);
            cached.put(name, version);
        }
        return version;
    }

    void forget(SecretName name) {
        cached.remove(name);
    }

    private Version get(SecretName name) {
        Secret secret = reader.apply(name)
                .orElseThrow(() -> new Denied(
                        "The administrator Secret " + name + " does not exist: create it, or correct the class."));
        String version =
                secret.getMetadata().getUid() + "/" + secret.getMetadata().getResourceVersion();
        return new Version(version, new AdministratorSecret(ContentDigest.decode(secret.getData())));
    }
}
