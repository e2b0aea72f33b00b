package io.bucketwright.devtools.demo;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Deletes what a demo created in a cluster of the user, also if the demo was interrupted or failed. Its controllers may no
 * longer run, so finalizers are removed: the store and the directories of the demo are temporary, and nothing in them has to
 * be released.
 *
 * @param name of the demo, unique in the cluster: of its namespace, and a part of everything else
 */
record DemoCleanup(KubernetesClient client, String name) {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final long PAUSE_MILLIS = 250;

    /** The object was deleted meanwhile, or changed by a controller that still runs. */
    private static final Set<Integer> LOST_RACE =
            Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT);

    private static final List<Class<? extends HasMetadata>> NAMESPACED = List.of(
            ObjectBucketClaim.class,
            BucketAccessRequest.class,
            BucketRequest.class,
            ReleasedBucketAccess.class,
            BucketClaim.class,
            Secret.class,
            ConfigMap.class,
            PersistentVolumeClaim.class);

    private static final List<Class<? extends HasMetadata>> CLUSTER_SCOPED =
            List.of(ObjectBucket.class, BucketAccess.class, Bucket.class, ReleasedBucket.class, PersistentVolume.class);

    /**
     * Deletes these objects, and everything that the controllers created for them.
     *
     * @return what is left nevertheless
     */
    List<HasMetadata> run(Collection<HasMetadata> created) {
        created.forEach(this::delete);
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        List<HasMetadata> left = left();
        while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
            left.forEach(this::force);
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return left;
            }
            left = left();
        }
        // An interrupted demo may have created more meanwhile.
        created.forEach(this::delete);
        return left;
    }

    /** The objects that nobody else deletes: those with finalizers, and those outside of the namespace. */
    List<HasMetadata> left() {
        return Stream.concat(
                        NAMESPACED.stream()
                                .flatMap(kind -> list(kind).stream())
                                .filter(object ->
                                        name.equals(object.getMetadata().getNamespace()))
                                .filter(object ->
                                        !object.getMetadata().getFinalizers().isEmpty()),
                        CLUSTER_SCOPED.stream()
                                .flatMap(kind -> list(kind).stream())
                                .filter(this::isOfTheDemo))
                .map(HasMetadata.class::cast)
                .toList();
    }

    /** By its class or its provisioner, which this demo created: a name that only looks like it proves nothing. */
    private boolean isOfTheDemo(HasMetadata object) {
        return switch (object) {
            case ObjectBucket bucket -> name.equals(bucket.getSpec().storageClassName());
            case ReleasedBucket bucket -> name.equals(bucket.spec().bucketClassName());
            case Bucket bucket -> bucket.getSpec().provisioner().startsWith(name + "/");
            case BucketAccess access -> access.getSpec().provisioner().startsWith(name + "/");
            case PersistentVolume volume ->
                DirectoryDemo.className(name).equals(volume.getSpec().getStorageClassName());
            default -> false;
        };
    }

    private List<? extends HasMetadata> list(Class<? extends HasMetadata> kind) {
        try {
            return NAMESPACED.contains(kind)
                    ? client.resources(kind).inNamespace(name).list().getItems()
                    : client.resources(kind).list().getItems();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                // The kind is not installed.
                return List.of();
            }
            throw e;
        }
    }

    private void delete(HasMetadata object) {
        unlessLost(() -> client.resource(object).delete());
    }

    private void force(HasMetadata object) {
        delete(object);
        if (!object.getMetadata().getFinalizers().isEmpty()) {
            unlessLost(() -> client.resource(object)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": null}}"));
        }
    }

    private static void unlessLost(Runnable write) {
        try {
            write.run();
        } catch (KubernetesClientException e) {
            if (!LOST_RACE.contains(e.getCode())) {
                throw e;
            }
        }
    }
}
