package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.LeaseStore;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One lease, with versions and conflicts as the API server has them. */
final class FakeLeases implements LeaseStore {

    private @Nullable Lease lease;
    private int version;
    private int reads;
    private int writes;
    private boolean unavailable;
    private boolean failWrites;
    private boolean loseResponses;
    private Runnable beforeWrite = () -> {};

    void unavailable(boolean value) {
        unavailable = value;
    }

    void failWrites(boolean value) {
        failWrites = value;
    }

    /** Writes take effect, and their responses do not arrive. */
    void loseResponses(boolean value) {
        loseResponses = value;
    }

    /** Runs that once, between a read and the write that follows it. */
    void beforeNextWrite(Runnable task) {
        beforeWrite = task;
    }

    int reads() {
        return reads;
    }

    int writes() {
        return writes;
    }

    Lease lease() {
        return Optional.ofNullable(lease).orElseThrow();
    }

    /** Somebody else writes the lease. */
    void put(Lease other) {
        lease = new LeaseBuilder(other)
                .editOrNewMetadata()
                .withResourceVersion(Integer.toString(++version))
                .endMetadata()
                .build();
    }

    /** A user deletes the lease. */
    void delete() {
        lease = null;
    }

    @Override
    public Optional<Lease> read(String namespace, String name) {
        available(!unavailable);
        reads++;
        return Optional.ofNullable(lease);
    }

    @Override
    public Lease create(Lease created) {
        countWrite();
        if (lease != null) {
            throw new ApiException(new ApiError.AlreadyExists("there is one"));
        }
        put(created);
        return lease();
    }

    @Override
    public Lease replace(Lease replacement) {
        countWrite();
        if (lease == null) {
            throw new ApiException(new ApiError.NotFound("there is none"));
        }
        if (!lease().getMetadata()
                .getResourceVersion()
                .equals(replacement.getMetadata().getResourceVersion())) {
            throw new ApiException(new ApiError.Conflict("another version is there"));
        }
        put(replacement);
        available(!loseResponses);
        return lease();
    }

    private void countWrite() {
        Runnable before = beforeWrite;
        beforeWrite = () -> {};
        before.run();
        available(!unavailable && !failWrites);
        writes++;
    }

    private static void available(boolean value) {
        if (!value) {
            throw new ApiException(new ApiError.Unavailable("no answer"));
        }
    }
}
