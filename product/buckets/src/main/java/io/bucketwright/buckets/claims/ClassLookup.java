package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.stores.BoundStore;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.buckets.stores.StoreRoutes;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the class of a claim. Parameters of a class cannot change, so each class is parsed once.
 *
 * @param parsed the parsed classes by uid
 */
record ClassLookup(
        ObjectCache<StorageClass> classes,
        ProvisionerSettings settings,
        StoreSource stores,
        Map<String, ResolvedClass> parsed)
        implements CacheListener<StorageClass> {

    ResolvedClass of(ObjectBucketClaim claim) {
        Optional<String> name = claim.getSpec().storageClass();
        if (name.isPresent()) {
            return classes.get("", name.get()).map(this::view).orElseGet(() -> new ResolvedClass.Missing(name.get()));
        }
        List<StorageClass> defaults = classes.list().stream()
                .filter(this::isServed)
                .filter(ClassLookup::isDefault)
                .toList();
        return switch (defaults.size()) {
            case 0 -> new ResolvedClass.NotServed();
            case 1 -> view(defaults.getFirst());
            default ->
                new ResolvedClass.SeveralDefaults(defaults.stream()
                        .map(candidate -> candidate.getMetadata().getName())
                        .sorted()
                        .collect(Collectors.joining(", ")));
        };
    }

    /** The valid class of this name; empty if there is none of this provisioner. */
    private Optional<BucketClass> current(String name) {
        return classes.get("", name)
                .map(this::view)
                .flatMap(found -> found instanceof ResolvedClass.Usable(BucketClass bucketClass)
                        ? Optional.of(bucketClass)
                        : Optional.empty());
    }

    /** How the store of an ObjectBucket is reached; empty if it is not of this provisioner, or its parameters are invalid. */
    Optional<BoundStore> bound(RecordedBucket bucket) {
        try {
            return bucket.findIntent()
                    .filter(intent -> intent.supported() && settings.isProvisioner(intent.provisioner()))
                    .map(intent -> new StoreRoutes(stores, this::current).of(intent))
                    .map(bound -> isEndpointOther(bound, bucket) ? bound.withOtherEndpoint() : bound);
        } catch (Invalid reported) {
            return Optional.empty();
        }
    }

    /** Whether the administrator Secret names another endpoint than the one that applications have. */
    private boolean isEndpointOther(BoundStore bound, RecordedBucket bucket) {
        return bound.changed().isEmpty()
                && bound.isAsRecorded()
                && bucket.complete()
                && bucket.endpointUnchanged()
                && stores.of(bound.recorded())
                        .connection(bucket.bucketName())
                        .filter(now -> !bucket.isAt(now.endpoint()))
                        .isPresent();
    }

    /** The store of a class; empty if its parameters are invalid. */
    Optional<ClassStore> store(BucketClass bucketClass) {
        try {
            return Optional.of(stores.of(bucketClass));
        } catch (Invalid reported) {
            return Optional.empty();
        }
    }

    private boolean isServed(StorageClass storageClass) {
        return settings.provisioner().text().equals(storageClass.getProvisioner());
    }

    static boolean isDefault(StorageClass storageClass) {
        return Metadata.annotation(storageClass, ObjectBucketNames.DEFAULT_CLASS_ANNOTATION)
                .equals("true");
    }

    @Override
    public void deleted(StorageClass last) {
        parsed.remove(last.getMetadata().getUid());
    }

    private ResolvedClass view(StorageClass storageClass) {
        return isServed(storageClass)
                ? parsed.computeIfAbsent(storageClass.getMetadata().getUid(), _ -> parse(storageClass))
                : new ResolvedClass.NotServed();
    }

    private ResolvedClass parse(StorageClass storageClass) {
        String name = storageClass.getMetadata().getName();
        BucketClassRef reference =
                new BucketClassRef(name, storageClass.getMetadata().getUid(), settings.parameters(storageClass));
        try {
            @Nullable String policy = storageClass.getReclaimPolicy();
            BucketClass bucketClass = BucketClass.read(reference, policy == null ? "" : policy);
            ClassStore _ = stores.of(bucketClass);
            return new ResolvedClass.Usable(bucketClass);
        } catch (Invalid e) {
            return new ResolvedClass.Unusable(name, String.valueOf(e.getMessage()));
        }
    }
}
