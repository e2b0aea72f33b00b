package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;

/** Reads and writes leases: the only changes that need no leadership, because leadership comes from them. */
public record LeaseClient(ObjectReader reader, ApiWriter writer) {

    public Optional<Lease> read(String namespace, String name) {
        return reader.read(Lease.class, namespace, name);
    }

    public Lease create(Lease lease) {
        return writer.create(lease);
    }

    /** Replaces the very version named in the lease; a field that is not set is removed. */
    public Lease replace(Lease lease) {
        return writer.replace(lease);
    }
}
