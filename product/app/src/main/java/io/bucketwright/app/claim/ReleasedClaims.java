package io.bucketwright.app.claim;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.cosi.controller.claims.ClaimDiagnosis;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The BucketClaims of {@code objectstorage.k8s.io}, with what explains their state.
 *
 * @param buckets empty if the user may not list them, like most tenants
 * @param classes the same
 */
record ReleasedClaims(
        List<BucketClaim> claims,
        Optional<List<ReleasedBucket>> buckets,
        Optional<List<ReleasedBucketClass>> classes,
        List<ReleasedBucketAccess> accesses) {

    ReleasedClaims {
        claims = List.copyOf(claims);
        accesses = List.copyOf(accesses);
    }

    /**
     * Lists them; none if the kind is not installed, or if the user may not list it.
     *
     * @param namespace empty for all
     */
    static ReleasedClaims of(ClaimClient client, String namespace) {
        List<BucketClaim> claims =
                client.listIfAllowed(BucketClaim.class, namespace).orElse(List.of());
        if (claims.isEmpty()) {
            return new ReleasedClaims(claims, Optional.empty(), Optional.empty(), List.of());
        }
        return new ReleasedClaims(
                claims,
                client.listIfAllowed(ReleasedBucket.class, ""),
                client.listIfAllowed(ReleasedBucketClass.class, ""),
                client.listIfAllowed(ReleasedBucketAccess.class, namespace).orElse(List.of()));
    }

    Stream<ClaimRow> rows(Instant now) {
        return claims.stream().map(claim -> ClaimRow.of(claim, explanation(claim, now)));
    }

    /** Reason and message; empty if the user may not read what decides it. */
    private String explanation(BucketClaim claim, Instant now) {
        if (buckets.isEmpty() || classes.isEmpty()) {
            return "";
        }
        return ClaimDiagnosis.of(claim, buckets.get(), classes.get(), accesses).explain(now);
    }
}
