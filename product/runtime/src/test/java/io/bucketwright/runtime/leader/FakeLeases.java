package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.LeaseClient;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.client.Transport;
import io.bucketwright.runtime.client.WriteListener;
import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.json.LenientValues;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One lease, with versions and conflicts as the API server has them. */
final class FakeLeases implements Transport {

    private static final JsonCodec CODEC = new JsonCodec(LenientValues.mapper());

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

    LeaseClient client() {
        return new LeaseClient(new ObjectReader(this), new ApiWriter(this, new WriteListener() {}));
    }

    @Override
    public JsonCodec json() {
        return CODEC;
    }

    @Override
    public byte[] get(String what, String path) {
        available(!unavailable);
        reads++;
        return response();
    }

    @Override
    public byte[] send(String what, String method, String path, String contentType, String body) {
        countWrite();
        Lease written = CODEC.decode(body.getBytes(StandardCharsets.UTF_8), Lease.class);
        boolean create = method.equals("POST");
        if (create && lease != null) {
            throw new ApiException(new ApiError.AlreadyExists("there is one"));
        }
        if (!create && lease == null) {
            throw new ApiException(new ApiError.NotFound("there is none"));
        }
        if (!create
                && !lease().getMetadata()
                        .getResourceVersion()
                        .equals(written.getMetadata().getResourceVersion())) {
            throw new ApiException(new ApiError.Conflict("another version is there"));
        }
        put(written);
        available(create || !loseResponses);
        return response();
    }

    private byte[] response() {
        if (lease == null) {
            throw new ApiException(new ApiError.NotFound("there is none"));
        }
        return CODEC.encode(lease).getBytes(StandardCharsets.UTF_8);
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
