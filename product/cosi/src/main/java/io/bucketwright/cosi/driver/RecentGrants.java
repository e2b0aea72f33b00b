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
    private final LinkedHashMap<Account, Grant> grants = new LinkedHashMap<>(16, 0.75f, true);

    RecentGrants(InstantSource time) {
        this.time = time;
    }

    /** The answer to the same request. */
    synchronized Optional<DriverGrantBucketAccessResponse> find(DriverGrantBucketAccessRequest request) {
        removeExpired();
        return Optional.ofNullable(grants.get(account(request)))
                .filter(grant -> grant.request.equals(request))
                .map(grant -> {
                    put(request, grant.answer);
                    return grant.answer;
                });
    }

    synchronized void put(DriverGrantBucketAccessRequest request, DriverGrantBucketAccessResponse answer) {
        grants.put(account(request), new Grant(request, answer, time.instant()));
        if (grants.size() > MOST) {
            grants.pollFirstEntry();
        }
    }

    /** The account is revoked. */
    synchronized void remove(String bucketId, String name) {
        grants.remove(new Account(bucketId, name));
    }

    private void removeExpired() {
        Instant oldest = time.instant().minus(REMEMBERED);
        grants.values().removeIf(grant -> grant.at.isBefore(oldest));
    }

    private static Account account(DriverGrantBucketAccessRequest request) {
        return new Account(request.getBucketId(), request.getName());
    }

    private record Account(String bucketId, String name) {}

    private record Grant(DriverGrantBucketAccessRequest request, DriverGrantBucketAccessResponse answer, Instant at) {}
}
