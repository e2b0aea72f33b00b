package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds a claim's class among the cached ones. A class never changes, so each is read once. */
final class ClassLookup {

    /** On a class of ours: claims that name no class get this one. Kubernetes' own default is for volumes. */
    static final String DEFAULT = "bucketwright.io/default-bucket-class";

    private final ObjectCache<StorageClass> classes;
    private final ProvisionerName provisioner;
    private final StoreSource stores;
    private final Map<String, ClassView> read = new ConcurrentHashMap<>();

    ClassLookup(ObjectCache<StorageClass> classes, ProvisionerName provisioner, StoreSource stores) {
        this.classes = classes;
        this.provisioner = provisioner;
        this.stores = stores;
    }

    ClassView of(ObjectBucketClaim claim) {
        Optional<String> name = claim.getSpec().storageClass();
        if (name.isPresent()) {
            return classes.get("", name.get()).map(this::view).orElseGet(() -> new ClassView.Missing(name.get()));
        }
        List<StorageClass> defaults = classes.list().stream()
                .filter(this::isOurs)
                .filter(ClassLookup::isDefault)
                .toList();
        return switch (defaults.size()) {
            case 0 -> new ClassView.Foreign();
            case 1 -> view(defaults.getFirst());
            default ->
                new ClassView.TwoDefaults(defaults.stream()
                        .map(it -> it.getMetadata().getName())
                        .sorted()
                        .collect(Collectors.joining(", ")));
        };
    }

    boolean isOurs(StorageClass storageClass) {
        return provisioner.text().equals(storageClass.getProvisioner());
    }

    static boolean isDefault(StorageClass storageClass) {
        @Nullable Map<String, String> annotations = storageClass.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(DEFAULT));
    }

    void forget(StorageClass gone) {
        read.remove(gone.getMetadata().getUid());
    }

    private ClassView view(StorageClass storageClass) {
        return isOurs(storageClass)
                ? read.computeIfAbsent(storageClass.getMetadata().getUid(), _ -> read(storageClass))
                : new ClassView.Foreign();
    }

    private ClassView read(StorageClass storageClass) {
        String name = storageClass.getMetadata().getName();
        @Nullable Map<String, String> parameters = storageClass.getParameters();
        BucketClassRef reference = new BucketClassRef(
                name, storageClass.getMetadata().getUid(), parameters == null ? Map.of() : parameters);
        try {
            @Nullable String policy = storageClass.getReclaimPolicy();
            BucketClass bucketClass = BucketClass.read(reference, policy == null ? "" : policy);
            stores.check(bucketClass);
            return new ClassView.Ours(bucketClass);
        } catch (Invalid e) {
            return new ClassView.Unusable(name, String.valueOf(e.getMessage()));
        }
    }
}
