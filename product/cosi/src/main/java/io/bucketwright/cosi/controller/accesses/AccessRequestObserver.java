package io.bucketwright.cosi.controller.accesses;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.ObjectNames;
import io.bucketwright.cosi.controller.objects.ReconcileState;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Comparator;
import java.util.Optional;

/** Collects from the caches what concerns one BucketAccessRequest. */
public record AccessRequestObserver(CosiCaches cluster, AccessSecrets secrets, ReconcileState state, TimeSource time) {

    public Optional<AccessRequestView> observe(ObjectKey key) {
        return cluster.accessRequests
                .get(key.namespace(), key.name())
                .filter(key::names)
                .map(request -> view(request, key));
    }

    private AccessRequestView view(BucketAccessRequest request, ObjectKey key) {
        Optional<BucketAccess> access = accessFor(key);
        Optional<BucketRequest> bucketRequest = bucketRequest(request);
        Optional<Bucket> bucket = access.isPresent()
                ? access.flatMap(cluster::bucketOf)
                : bucketRequest.flatMap(found -> cluster.bucket(found.getSpec().bucketInstanceName()));
        return new AccessRequestView(
                request,
                cluster.namespaceUid(key.namespace()),
                bucketRequest,
                bucket,
                cluster.accessClasses.get("", request.getSpec().bucketAccessClassName()),
                access,
                isNameTaken(request, key),
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

    private boolean isNameTaken(BucketAccessRequest request, ObjectKey key) {
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
}
