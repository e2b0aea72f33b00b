package io.bucketwright.app.doctor.observation;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The objects of a cluster, as far as the user may list them.
 *
 * @param byKind in the order in which kinds that could not be listed are reported
 */
public record ListedObjects(Map<Class<? extends HasMetadata>, Listing<?>> byKind) {

    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            CustomResourceDefinition.class,
            StorageClass.class,
            ObjectBucketClaim.class,
            ObjectBucket.class,
            PersistentVolumeClaim.class,
            PersistentVolume.class,
            BucketClass.class,
            BucketAccessClass.class,
            BucketRequest.class,
            BucketAccessRequest.class,
            Bucket.class,
            BucketAccess.class,
            ReleasedBucketClass.class,
            ReleasedBucketAccessClass.class,
            BucketClaim.class,
            ReleasedBucketAccess.class,
            ReleasedBucket.class,
            Event.class);

    public ListedObjects {
        byKind = Collections.unmodifiableMap(new LinkedHashMap<>(byKind));
    }

    /**
     * Reads the kinds that the checks need.
     *
     * @param list lists the objects of a kind
     */
    public static ListedObjects read(Function<Class<? extends HasMetadata>, Listing<?>> list) {
        Map<Class<? extends HasMetadata>, Listing<?>> byKind = new LinkedHashMap<>();
        KINDS.forEach(kind -> byKind.put(kind, list.apply(kind)));
        return new ListedObjects(byKind);
    }

    /** The name of a kind, with its group if {@code cosi.io} has a kind of the same name. */
    public static String name(Class<? extends HasMetadata> kind) {
        String group = ReleasedNames.GROUP.equals(HasMetadata.getGroup(kind)) ? "." + ReleasedNames.GROUP : "";
        return HasMetadata.getKind(kind) + group;
    }

    /** The objects of a kind. */
    @SuppressWarnings("unchecked") // the listing of a kind has its objects
    <T extends HasMetadata> Listing<T> of(Class<T> kind) {
        return (Listing<T>) Optional.ofNullable(byKind.get(kind)).orElseThrow();
    }
}
