package io.bucketwright.store.azure;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

/**
 * The exclusive right to change a container. Metadata and access policies can only be replaced as a whole, and Azure has no
 * ETag condition for that, so that two writers could undo each other's change: a revoked policy could come back. A lease does
 * not affect applications.
 *
 * <p>The id of a lease is computed from its owner. A call that continues after a crash gets the lease of the crashed one at
 * once; others wait until it expires.
 */
final class ContainerLease {

    /** The shortest that Azure has. A change that takes longer fails, because its lease id is no longer valid. */
    private static final String SECONDS = "15";

    private static final Duration OTHERS_FINISH_WITHIN = Duration.ofSeconds(3);
    private static final Duration NEXT_ATTEMPT = Duration.ofMillis(100);

    private final BlobService service;
    private final BucketName bucket;
    private final String id;
    private boolean ended;
    private String lastModified = "";

    private ContainerLease(BlobService service, BucketName bucket, BucketOwner owner) {
        this.service = service;
        this.bucket = bucket;
        this.id = UUID.nameUUIDFromBytes(owner.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /**
     * Acquires the lease, makes a change and releases the lease.
     *
     * @throws NotFound if the container does not exist
     * @throws Unavailable if another client holds the lease
     */
    static <T> T whileHeld(
            StoreCall call,
            BlobService service,
            BucketName bucket,
            BucketOwner owner,
            Function<ContainerLease, T> change) {
        ContainerLease lease = new ContainerLease(service, bucket, owner);
        lease.acquire(call);
        try {
            return change.apply(lease);
        } finally {
            lease.release(call);
        }
    }

    BucketName bucket() {
        return bucket;
    }

    /**
     * Sends a request that replaces the access policies. It fails if the lease has expired, or if they were changed since the
     * lease was acquired: all leases of an owner have one id, so that a request which an earlier call sent could otherwise be
     * carried out during a later lease. Azure compares seconds; a request that lands late was sent seconds ago.
     */
    void sendIfUnmodified(StoreCall call, BlobRequest request) {
        send(call, lastModified.isEmpty() ? request : request.header(SharedKey.UNMODIFIED_SINCE, lastModified));
    }

    /** Sends a request that changes the container. It fails if the lease has expired. */
    void send(StoreCall call, BlobRequest request) {
        // Without a response it is not known what the container is now.
        lastModified = "";
        lastModified = lastModified(service.send(call, addTo(request)));
    }

    private static String lastModified(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Last-Modified").orElse("");
    }

    /** Adds the id of the lease to a request: it fails if the lease has expired. */
    BlobRequest addTo(BlobRequest request) {
        return request.header("x-ms-lease-id", id);
    }

    /** The container no longer exists, so that there is nothing to release. */
    void end() {
        ended = true;
    }

    private void acquire(StoreCall call) {
        BlobRequest request =
                request("acquire").header("x-ms-proposed-lease-id", id).header("x-ms-lease-duration", SECONDS);
        long end = System.nanoTime() + OTHERS_FINISH_WITHIN.toNanos();
        while (true) {
            HttpResponse<byte[]> response = service.exchange(call, request);
            if (!BlobErrors.code(response).equals("LeaseAlreadyPresent")) {
                service.require(request, response);
                lastModified = lastModified(response);
                return;
            }
            if (System.nanoTime() >= end) {
                throw new Unavailable("Could not change the container " + bucket
                        + ": another client has a lease on it. A lease of Bucketwright ends within 15 seconds; break it in"
                        + " the store if it is another one.");
            }
            call.pause(NEXT_ATTEMPT);
        }
    }

    private void release(StoreCall call) {
        if (ended) {
            return;
        }
        try {
            service.exchange(call, addTo(request("release")));
        } catch (StoreException expiresSoon) {
            // The change itself has succeeded or failed already, and the next call of this owner can use the lease.
        }
    }

    private BlobRequest request(String action) {
        return BlobRequest.container(action + " the lease of the container " + bucket, "PUT", bucket)
                .query("comp", "lease")
                .header("x-ms-lease-action", action);
    }
}
