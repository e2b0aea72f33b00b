package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
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

    private final KubernetesClient reader;
    private final Map<SecretName, Version> cached = new ConcurrentHashMap<>();

    public AdministratorSecrets(KubernetesClient reader) {
        this.reader = reader;
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
        @Nullable Secret secret;
        try {
            secret = reader.secrets()
                    .inNamespace(name.namespace())
                    .withName(name.name())
                    .get();
        } catch (KubernetesClientException e) {
            throw e.getCode() == 403
                    ? new Denied("The administrator Secret " + name
                            + " cannot be read: allow the service account of the controller to get it.")
                    : new Unavailable("Reading the administrator Secret " + name + " failed with status " + e.getCode() + ".");
        }
        if (secret == null) {
            throw new Denied("The administrator Secret " + name + " does not exist: create it, or correct the class.");
        }
        Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
        Map<String, SecretValue> values = data.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> decode(entry.getValue())));
        String version =
                secret.getMetadata().getUid() + "/" + secret.getMetadata().getResourceVersion();
        return new Version(version, new AdministratorSecret(values));
    }

    private static SecretValue decode(String base64) {
        return SecretValue.of(new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
    }
}
