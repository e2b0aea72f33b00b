package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.cache.ShortWatch;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The provisioner secrets. The sidecar sees only Secrets with the label {@value #LABEL}, and only in its own and the
 * configured namespaces: a class cannot make it read another Secret, and a tenant cannot make it send one.
 */
final class ProvisionerSecrets {

    /** The label of a Secret that may be sent to a driver. */
    public static final String LABEL = "cosi.io/provisioner-secret";

    private final Provisioner provisioner;
    private final Map<String, ObjectCache<Secret>> byNamespace = new TreeMap<>();
    private final Optional<SelectedNamespaces> selected;

    /**
     * Watches the Secrets.
     *
     * @param selector labels of further namespaces; empty for none
     */
    public ProvisionerSecrets(
            ObjectCaches caches,
            Provisioner provisioner,
            Set<String> additionalNamespaces,
            Map<String, String> selector) {
        this.provisioner = provisioner;
        this.selected = selector.isEmpty() ? Optional.empty() : Optional.of(new SelectedNamespaces(caches, selector));
        Set<String> all = new TreeSet<>(additionalNamespaces);
        all.add(provisioner.namespace());
        all.forEach(namespace -> byNamespace.put(
                namespace, caches.of(Secret.class, Scope.namespace(namespace).labelled(LABEL, "true"))));
    }

    /**
     * Reconciles what depends on a Secret when it changes, or when a namespace is selected.
     *
     * @param uses the keys of what uses a Secret
     * @param references the keys of what names a Secret in this namespace
     */
    public void watchBy(
            Controller<ObjectKey> controller,
            Function<Secret, Collection<ObjectKey>> uses,
            Function<String, Collection<ObjectKey>> references) {
        byNamespace.values().forEach(source -> controller.watchRelated(source, uses));
        selected.ifPresent(later -> {
            controller.watchRelated(
                    later.source(),
                    namespace -> references.apply(namespace.getMetadata().getName()));
            later.listen(new CacheListener<>() {
                @Override
                public void changed(Secret before, Secret after) {
                    uses.apply(after).forEach(controller::add);
                }

                @Override
                public void deleted(Secret last) {
                    uses.apply(last).forEach(controller::add);
                }
            });
        });
    }

    /** Whether the provisioner secret of the Bucket is in this namespace. */
    public boolean isIn(String namespace, Bucket bucket) {
        return isIn(namespace, SecretReference.of(bucket, provisioner));
    }

    /** Whether the provisioner secret of the BucketAccess to the Bucket is in this namespace. */
    public boolean isIn(String namespace, BucketAccess access, Bucket bucket) {
        return isIn(namespace, SecretReference.of(access, bucket, provisioner));
    }

    private static boolean isIn(String namespace, SecretReference reference) {
        return reference instanceof SecretReference.Named named
                && named.namespace().equals(namespace);
    }

    /** Whether this is the provisioner secret of the Bucket. */
    public boolean isOf(Secret secret, Bucket bucket) {
        return SecretReference.of(bucket, provisioner)
                .equals(new SecretReference.Named(
                        secret.getMetadata().getNamespace(),
                        secret.getMetadata().getName()));
    }

    /** Whether this is the provisioner secret of the BucketAccess to the Bucket. */
    public boolean isOf(Secret secret, BucketAccess access, Bucket bucket) {
        return SecretReference.of(access, bucket, provisioner)
                .equals(new SecretReference.Named(
                        secret.getMetadata().getNamespace(),
                        secret.getMetadata().getName()));
    }

    public ProvisionerSecret of(Bucket bucket) {
        return of(SecretReference.of(bucket, provisioner));
    }

    /** The Secret for calls about the BucketAccess: that of its class, or else that of the Bucket's class. */
    public ProvisionerSecret of(BucketAccess access, Bucket bucket) {
        return of(SecretReference.of(access, bucket, provisioner));
    }

    private ProvisionerSecret of(SecretReference reference) {
        return switch (reference) {
            case SecretReference.None() -> new ProvisionerSecret.Usable("", Map.of());
            case SecretReference.Invalid(String message) -> new ProvisionerSecret.Unusable(message);
            case SecretReference.Named named -> find(named);
        };
    }

    private ProvisionerSecret find(SecretReference.Named named) {
        @Nullable ObjectCache<Secret> cached = byNamespace.get(named.namespace());
        if (cached != null) {
            return find(named, cached, "");
        }
        return selected.flatMap(later -> later.secretsIn(named.namespace()))
                .map(watch -> find(named, watch.cache(), forbidden(named.namespace(), watch)))
                .orElseGet(() -> new ProvisionerSecret.Unusable("The provisioner secret " + named
                        + " is in a namespace that this sidecar does not watch. It watches " + byNamespace.keySet()
                        + (selected.isPresent() ? " and those that --secret-namespace-selector selects" : "")
                        + ". Move the Secret, label the namespace, or add it to --secret-namespaces."));
    }

    private static String forbidden(String namespace, ShortWatch<Secret> watch) {
        return watch.synced()
                ? ""
                : " The Secrets of namespace " + namespace + " are not listed yet. " + watch.problem()
                        + " Allow the sidecar to list and watch them there.";
    }

    private static ProvisionerSecret find(SecretReference.Named named, ObjectCache<Secret> cached, String more) {
        return cached.get(named.namespace(), named.name())
                .map(secret -> read(named, secret))
                .orElseGet(() -> new ProvisionerSecret.Unusable("The provisioner secret " + named
                        + " does not exist or does not have the label " + LABEL + ": \"true\". Create or label it."
                        + more));
    }

    private static ProvisionerSecret read(SecretReference.Named named, Secret secret) {
        Optional<Problem> tooLarge = Problem.ofSize(secret);
        if (tooLarge.isPresent()) {
            return new ProvisionerSecret.Unusable(
                    "The provisioner secret " + named + ": " + tooLarge.get().message());
        }
        Map<String, SecretValue> values = new HashMap<>();
        Map<String, String> data = Optional.ofNullable(secret.getData()).orElse(Map.of());
        for (Map.Entry<String, String> entry : data.entrySet()) {
            Optional<String> text = text(entry.getValue());
            if (text.isEmpty()) {
                return new ProvisionerSecret.Unusable("The provisioner secret " + named + " contains data that is not"
                        + " UTF-8 text under " + SafeText.quoted(entry.getKey())
                        + ". Only text can be sent to a driver.");
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
}
