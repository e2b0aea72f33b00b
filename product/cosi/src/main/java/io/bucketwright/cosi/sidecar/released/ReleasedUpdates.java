package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Copies of cached objects with one change, to replace the originals. */
final class ReleasedUpdates {

    private ReleasedUpdates() {}

    static ReleasedBucket with(ReleasedBucket bucket, ReleasedBucketStatus status) {
        ReleasedBucket changed = changed(bucket, _ -> {});
        changed.setStatus(status);
        return changed;
    }

    static ReleasedBucket changed(ReleasedBucket bucket, Consumer<ObjectMeta> change) {
        return copy(bucket, new ReleasedBucket(), change);
    }

    static BucketClaim with(BucketClaim claim, BucketClaimStatus status) {
        BucketClaim changed = changed(claim, _ -> {});
        changed.setStatus(status);
        return changed;
    }

    static BucketClaim changed(BucketClaim claim, Consumer<ObjectMeta> change) {
        return copy(claim, new BucketClaim(), change);
    }

    static ReleasedBucketAccess with(ReleasedBucketAccess access, ReleasedAccessStatus status) {
        ReleasedBucketAccess changed = changed(access, _ -> {});
        changed.setStatus(status);
        return changed;
    }

    static ReleasedBucketAccess changed(ReleasedBucketAccess access, Consumer<ObjectMeta> change) {
        return copy(access, new ReleasedBucketAccess(), change);
    }

    /** Adds finalizers that are not there yet. */
    static Consumer<ObjectMeta> finalizers(String... added) {
        return metadata -> {
            List<String> all = new ArrayList<>(metadata.getFinalizers());
            for (String finalizer : added) {
                if (!all.contains(finalizer)) {
                    all.add(finalizer);
                }
            }
            metadata.setFinalizers(all);
        };
    }

    static Consumer<ObjectMeta> withoutFinalizers(String... removed) {
        return metadata -> {
            List<String> left = new ArrayList<>(metadata.getFinalizers());
            left.removeAll(List.of(removed));
            metadata.setFinalizers(left);
        };
    }

    static Consumer<ObjectMeta> annotation(String key, String value) {
        return metadata -> {
            Map<String, String> all = new HashMap<>(metadata.getAnnotations());
            all.put(key, value);
            metadata.setAnnotations(all);
        };
    }

    private static <S, T, C extends CustomResource<S, T>> C copy(C original, C copy, Consumer<ObjectMeta> change) {
        copy.setMetadata(metadata(original, change));
        copy.setSpec(original.getSpec());
        copy.setStatus(original.getStatus());
        return copy;
    }

    static Consumer<ObjectMeta> withoutAnnotation(String key) {
        return metadata -> {
            Map<String, String> left = new HashMap<>(metadata.getAnnotations());
            left.remove(key);
            metadata.setAnnotations(left);
        };
    }

    private static ObjectMeta metadata(HasMetadata object, Consumer<ObjectMeta> change) {
        ObjectMeta copy = new ObjectMetaBuilder(object.getMetadata()).build();
        copy.setFinalizers(Metadata.finalizers(object));
        copy.setAnnotations(Metadata.annotations(object));
        change.accept(copy);
        return copy;
    }
}
