package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects from the caches what the decision about one object depends on; empty if it does not exist. */
record CosiObserver(CosiCaches cluster, AccessSecrets secrets, ReconcileState state, TimeSource time) {

    // --- BucketRequests

    Optional<BucketRequestObservation> observeRequest(ObjectKey key) {
        return cluster.requests
                .get(key.namespace(), key.name())
                .filter(key::names)
                .map(request -> view(request, key));
    }

    private BucketRequestObservation view(BucketRequest request, ObjectKey key) {
        Optional<Bucket> bucket = cluster.bucket(request.getSpec().bucketInstanceName());
        // Before the uids of namespaces are used: one that is not known may be known a moment later.
        boolean undecided = bucket.filter(found -> isUndecided(found, key)).isPresent();
        return new BucketRequestObservation(
                request,
                cluster.namespaceUid(key.namespace()),
                classesOf(request),
                bucket,
                isNameTaken(key),
                cluster.accessesThrough.get(key.uid()),
                undecided,
                bucket.filter(found -> isShared(found, key)).isPresent(),
                state.refusal(key.uid()),
                cluster.accessRequestsThrough(request).anyMatch(access -> !Metadata.isBeingDeleted(access)),
                cluster.accessRequestsThrough(request).anyMatch(CosiCondition::wasBound),
                time.now());
    }

    private List<BucketClass> classesOf(BucketRequest request) {
        String name = request.getSpec().bucketClassName();
        if (!name.isEmpty()) {
            return cluster.classes.get("", name).stream().toList();
        }
        return cluster.classes.list().stream()
                .filter(BucketClass::isDefaultBucketClass)
                .filter(found ->
                        found.offeredProtocol().equals(request.getSpec().wantedProtocol()))
                .sorted(Comparator.comparing(found -> found.getMetadata().getName()))
                .toList();
    }

    private boolean isNameTaken(ObjectKey key) {
        String name = ObjectNames.bucket(key, false);
        boolean exists = cluster.bucket(name)
                .filter(other -> !BucketPermission.isCreatedFor(other, key.uid()))
                .isPresent();
        // A request that chose the name creates its Bucket next; one that only names an existing Bucket does not.
        return exists
                || state.isReservedByOther(name, key.uid())
                || cluster.requestsNaming.get(name).stream()
                        .filter(other -> !key.names(other))
                        .anyMatch(CosiMetadata::isNew);
    }

    private boolean isUndecided(Bucket bucket, ObjectKey key) {
        return cluster.undecidedRequests(bucket)
                .anyMatch(request -> key.names(request) || !Metadata.isBeingDeleted(request));
    }

    private boolean isShared(Bucket bucket, ObjectKey key) {
        return cluster.entitledRequests(bucket)
                .anyMatch(other -> !other.getMetadata().getUid().equals(key.uid()) && !Metadata.isBeingDeleted(other));
    }

    // --- Buckets

    Optional<BucketObservation> observeBucket(ObjectKey key) {
        return cluster.bucket(key.name()).filter(key::names).map(this::view);
    }

    private BucketObservation view(Bucket bucket) {
        List<BucketObservation.Access> accesses = cluster
                .accessesOfBucket
                .get(bucket.getMetadata().getName())
                .stream()
                .filter(access ->
                        access.getSpec().bucketUid().equals(bucket.getMetadata().getUid()))
                .map(access -> new BucketObservation.Access(
                        access, secrets.granted(access).isPresent()))
                .toList();
        return new BucketObservation(
                bucket,
                accesses,
                isWanted(bucket),
                cluster.entitledRequests(bucket)
                        .anyMatch(request -> Metadata.isBeingDeleted(request) && CosiMetadata.hasFinalizer(request)),
                bucket.getSpec()
                        .creator()
                        .filter(creator -> cluster.requests
                                .get(creator.namespace(), creator.name())
                                .filter(request ->
                                        request.getMetadata().getUid().equals(creator.uid()))
                                .isEmpty())
                        .isPresent(),
                time.now());
    }

    /** Requests whose namespace is not known come first: it may be known a moment later. */
    private boolean isWanted(Bucket bucket) {
        return cluster.undecidedRequests(bucket).anyMatch(request -> !Metadata.isBeingDeleted(request))
                || cluster.entitledRequests(bucket).anyMatch(request -> !Metadata.isBeingDeleted(request));
    }

    // --- BucketAccessRequests

    Optional<AccessRequestObservation> observeAccessRequest(ObjectKey key) {
        return cluster.accessRequests
                .get(key.namespace(), key.name())
                .filter(key::names)
                .map(request -> view(request, key));
    }

    private AccessRequestObservation view(BucketAccessRequest request, ObjectKey key) {
        Optional<BucketAccess> access = accessFor(key);
        Optional<BucketRequest> bucketRequest = bucketRequest(request);
        Optional<Bucket> bucket = access.isPresent()
                ? access.flatMap(cluster::bucketOf)
                : bucketRequest.flatMap(found -> cluster.bucket(found.getSpec().bucketInstanceName()));
        return new AccessRequestObservation(
                request,
                cluster.namespaceUid(key.namespace()),
                bucketRequest,
                bucket,
                cluster.accessClasses.get("", request.getSpec().bucketAccessClassName()),
                access,
                isAccessNameTaken(request, key),
                cluster.accesses
                        .get("", request.getSpec().bucketAccessName())
                        .filter(other -> isOfFormerRequest(other, key))
                        .isPresent(),
                access.flatMap(secrets::granted).isPresent(),
                state.refusal(key.uid()),
                access.map(found -> copyState(request, found)).orElse(AccessSecrets.CopyState.ABSENT),
                time.now());
    }

    /** The named request, or the first one of the namespace that names the same Bucket. */
    private Optional<BucketRequest> bucketRequest(BucketAccessRequest request) {
        String namespace = request.getMetadata().getNamespace();
        String name = request.getSpec().bucketRequestName();
        if (!name.isEmpty()) {
            return cluster.requests.get(namespace, name);
        }
        return cluster.requestsNaming.get(request.getSpec().bucketInstance()).stream()
                .filter(found -> found.getMetadata().getNamespace().equals(namespace))
                .min(Comparator.comparing(Metadata::isBeingDeleted)
                        .thenComparing(found -> found.getMetadata().getName()));
    }

    private Optional<BucketAccess> accessFor(ObjectKey key) {
        // By name first: if the index lags, a second create of the same name would be refused.
        return ObjectNames.accesses(key).stream()
                .flatMap(name -> cluster.accesses.get("", name).stream())
                .filter(found -> found.getSpec().bucketAccessRequestUid().equals(key.uid()))
                .findFirst()
                .or(() -> cluster.accessesFor.get(key.uid()).stream().findFirst());
    }

    private static boolean isOfFormerRequest(BucketAccess access, ObjectKey key) {
        return access.getSpec().bucketAccessRequestNamespace().equals(key.namespace())
                && access.getSpec().bucketAccessRequestName().equals(key.name())
                && !access.getSpec().bucketAccessRequestUid().equals(key.uid());
    }

    private boolean isAccessNameTaken(BucketAccessRequest request, ObjectKey key) {
        String chosen = request.getSpec().bucketAccessName();
        String name = chosen.isEmpty() ? ObjectNames.access(key, false) : chosen;
        boolean exists = cluster.accesses
                .get("", name)
                .filter(other -> !other.getSpec().bucketAccessRequestUid().equals(key.uid()))
                .isPresent();
        return exists
                || (chosen.isEmpty()
                        && (state.isReservedByOther(name, key.uid())
                                || cluster.accessRequestsNaming.get(name).stream()
                                        .anyMatch(other -> !key.names(other))));
    }

    private AccessSecrets.CopyState copyState(BucketAccessRequest request, BucketAccess access) {
        return state.hasConflict(request.getMetadata().getUid())
                ? AccessSecrets.CopyState.FOREIGN
                : secrets.compare(access, request);
    }

    // --- BucketAccesses

    Optional<BucketAccessObservation> observeAccess(ObjectKey key) {
        return cluster.accesses.get("", key.name()).filter(key::names).map(this::view);
    }

    private BucketAccessObservation view(BucketAccess access) {
        return new BucketAccessObservation(
                access,
                requestOf(access),
                cluster.bucketOf(access),
                secrets.granted(access).isPresent());
    }

    private Optional<BucketAccessRequest> requestOf(BucketAccess access) {
        return cluster.accessRequests
                .get(
                        access.getSpec().bucketAccessRequestNamespace(),
                        access.getSpec().bucketAccessRequestName())
                .filter(found ->
                        found.getMetadata().getUid().equals(access.getSpec().bucketAccessRequestUid()));
    }
}
