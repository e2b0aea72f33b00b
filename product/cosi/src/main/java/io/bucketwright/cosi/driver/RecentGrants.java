package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * The answers to recent grants of {@code cosi.v1alpha1}, in memory. The sidecar of Kubernetes SIG Storage repeats a grant
 * whose status it could not write, or whose status it has not read yet, but keeps the Secret of the first answer. A store
 * replaces the key of the account at each grant, so the Secret would contain a deleted key.
 */
final class RecentGrants {

    /** Since the last repetition; the sidecar waits at most 30 seconds between two. */
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private static final int MOST = 10_000;

    private final InstantSource time;
    private final LinkedHashMap<DriverGrantBucketAccessRequest, Grant> grants = new LinkedHashMap<>();

    RecentGrants(InstantSource time) {
        this.time = time;
    }

    /** The answer to the same request. */
    synchronized Optional<DriverGrantBucketAccessResponse> find(DriverGrantBucketAccessRequest request) {
        Instant oldest = time.instant().minus(REMEMBERED);
        grants.values().removeIf(grant -> grant.at.isBefore(oldest));
        Optional<DriverGrantBucketAccessResponse> found =
                Optional.ofNullable(grants.get(request)).map(Grant::answer);
        found.ifPresent(answer -> put(request, answer));
        return found;
    }

    synchronized void put(DriverGrantBucketAccessRequest request, DriverGrantBucketAccessResponse answer) {
        remove(request.getBucketId(), request.getName());
        grants.put(request, new Grant(answer, time.instant()));
        if (grants.size() > MOST) {
            grants.pollFirstEntry();
        }
    }

    /** The account is revoked, or has other keys. */
    synchronized void remove(String bucketId, String name) {
        grants.keySet()
                .removeIf(request -> request.getBucketId().equals(bucketId)
                        && request.getName().equals(name));
    }

    private record Grant(DriverGrantBucketAccessResponse answer, Instant at) {}
}
