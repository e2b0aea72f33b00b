package io.bucketwright.cosi.sidecar.driver;



import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The Secrets that drivers are given. Only those that say of themselves that they are meant for it are ever seen, and only
 * in the namespaces that this sidecar was told: a class cannot make it read, and a tenant cannot make it send, any other.
 */
public final class ProvisionerSecrets {

    /** On every Secret that may be given to a driver. */
    public static final String LABEL = "cosi.io/provisioner-secret";

    private final Provisioner provisioner;
    private final Map<String, ObjectCache<Secret>> byNamespace = new TreeMap<>();

    public ProvisionerSecrets(ObjectCaches caches, Provisioner provisioner, Set<String> moreNamespaces) {
        this.provisioner = provisioner;
        Set<String> all = new TreeSet<>(moreNamespaces);
        all.add(provisioner.namespace());
        all.forEach(namespace -> byNamespace.put(
                namespace, caches.of(Secret.class, Scope.namespace(namespace).labelled(LABEL, "true"))));
    }

    public Collection<ObjectCache<Secret>> sources() {
        return byNamespace.values();
    }

    /** Whether the Bucket's driver is given that Secret. */
    public boolean isOf(Secret secret, Bucket bucket) {
        return SecretReference.of(bucket, provisioner)
                .equals(new SecretReference.Named(
                        secret.getMetadata().getNamespace(),
                        secret.getMetadata().getName()));
    }

    public ProvisionerSecret of(Bucket bucket) {
        return switch (SecretReference.of(bucket, provisioner)) {
            case SecretReference.Unneeded() -> new ProvisionerSecret.Usable("", Map.of());
            case SecretReference.Wrong(String message) -> new ProvisionerSecret.Unusable(message);
            case SecretReference.Named named -> look(named);
        };
    }

    private ProvisionerSecret look(SecretReference.Named named) {
        Optional<ObjectCache<Secret>> cached = Optional.ofNullable(byNamespace.get(named.namespace()));
        if (cached.isEmpty()) {
            return new ProvisionerSecret.Unusable("The provisioner secret " + named
                    + " is in a namespace that this sidecar may not read: it reads " + byNamespace.keySet()
                    + ". Move the Secret, or let the sidecar read that namespace too.");
        }
        return cached.get()
                .get(named.namespace(), named.name())
                .map(secret -> read(named, secret))
                .orElseGet(() -> new ProvisionerSecret.Unusable("The provisioner secret " + named
                        + " is not there, or does not carry the label " + LABEL + ": \"true\". Create or label it."));
    }

    private static ProvisionerSecret read(SecretReference.Named named, Secret secret) {
        Map<String, SecretValue> values = new HashMap<>();
        Map<String, String> data = Optional.ofNullable(secret.getData()).orElse(Map.of());
        for (Map.Entry<String, String> entry : data.entrySet()) {
            Optional<String> text = text(entry.getValue());
            if (text.isEmpty()) {
                return new ProvisionerSecret.Unusable("The provisioner secret " + named + " holds something else than text"
                        + " under " + InputText.quote(entry.getKey()) + ", and only text can be sent to a driver.");
            }
            values.put(entry.getKey(), SecretValue.of(text.get()));
        }
        String version =
                secret.getMetadata().getUid() + "/" + secret.getMetadata().getResourceVersion();
        return new ProvisionerSecret.Usable(version, Map.copyOf(values));
    }

    private static Optional<String> text(String base64) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(base64)))
                    .toString());
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** All namespaces that are read. */
    public List<String> namespaces() {
        return List.copyOf(byNamespace.keySet());
    }
}
