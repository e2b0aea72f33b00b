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
import io.bucketwright.app.options.PublishedSettings;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A cluster at one moment, as far as the user may see it.
 *
 * @param serverVersion the version of the API server, such as {@code v1.36.3}
 * @param workloads Deployments and DaemonSets of the Helm chart
 * @param classes the StorageClasses of these provisioners
 */
public record ClusterObservation(
        DoctorScope scope,
        Instant now,
        String serverVersion,
        Listing<CustomResourceDefinition> definitions,
        Listing<RoleLease> leases,
        Listing<RoleWorkload> workloads,
        ServedProvisioners provisioners,
        List<AccountAccess> access,
        Listing<StorageClass> storageClasses,
        List<ParsedClass> classes,
        List<StoreAnswer> stores,
        Listing<ObjectBucketClaim> claims,
        Listing<ObjectBucket> objectBuckets,
        Cosi cosi,
        Released released,
        Listing<PersistentVolumeClaim> volumeClaims,
        Listing<PersistentVolume> volumes) {

    public ClusterObservation {
        access = List.copyOf(access);
        classes = List.copyOf(classes);
        stores = List.copyOf(stores);
    }

    /**
     * The objects of COSI as released, {@code objectstorage.k8s.io}.
     *
     * @param events of these objects
     * @param invalid what a driver of Bucketwright refuses in the parameters of a class, by the name of the class
     */
    public record Released(
            Listing<ReleasedBucketClass> classes,
            Listing<ReleasedBucketAccessClass> accessClasses,
            Listing<BucketClaim> claims,
            Listing<ReleasedBucketAccess> accesses,
            Listing<ReleasedBucket> buckets,
            Listing<Event> events,
            Map<String, String> invalid) {

        public Released {
            invalid = Map.copyOf(invalid);
        }

        Stream<Listing<?>> listings() {
            return Stream.of(classes, accessClasses, claims, accesses, buckets, events);
        }
    }

    /** The objects of COSI as designed in 2020, {@code cosi.io}. */
    public record Cosi(
            Listing<BucketClass> classes,
            Listing<BucketAccessClass> accessClasses,
            Listing<BucketRequest> requests,
            Listing<BucketAccessRequest> accessRequests,
            Listing<Bucket> buckets,
            Listing<BucketAccess> accesses) {

        Stream<Listing<?>> listings() {
            return Stream.of(classes, accessClasses, requests, accessRequests, buckets, accesses);
        }
    }

    /** Everything that was listed. */
    public Stream<Listing<?>> listings() {
        return Stream.of(
                        Stream.of(
                                definitions,
                                leases,
                                workloads,
                                storageClasses,
                                claims,
                                objectBuckets,
                                volumeClaims,
                                volumes),
                        cosi.listings(),
                        released.listings())
                .flatMap(listings -> listings);
    }

    /** Empty also if the user may not list the classes. */
    public Optional<StorageClass> storageClass(String name) {
        return storageClasses.stream()
                .filter(found -> found.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** Whether a process leads in a role, in whatever namespace. */
    public boolean isLed(LeaseRole role) {
        return leases.stream().anyMatch(lease -> lease.role() == role && isLed(lease));
    }

    /** Whether a process leads that serves this provisioner; one that does not say what it serves may. */
    public boolean isServed(String provisioner) {
        return leases.stream()
                .filter(lease -> lease.role() == LeaseRole.BUCKETS && isLed(lease))
                .map(lease -> PublishedSettings.serves(lease.lease()))
                .anyMatch(serves -> serves.isEmpty() || serves.equals(provisioner));
    }

    /** The same for a class of directories. Their Leases name the provisioner or the classes. */
    public boolean isServedByDirectories(StorageClass storageClass) {
        return leases.stream()
                .filter(lease -> lease.role() == LeaseRole.DIRECTORIES && isLed(lease))
                .map(lease -> PublishedSettings.serves(lease.lease()))
                .anyMatch(serves -> serves.isEmpty()
                        || serves.equals(storageClass.getProvisioner())
                        || List.of(serves.split(","))
                                .contains(storageClass.getMetadata().getName()));
    }

    public boolean isLed(RoleLease lease) {
        return lease.state(now) == RoleLease.State.LEADING;
    }
}
