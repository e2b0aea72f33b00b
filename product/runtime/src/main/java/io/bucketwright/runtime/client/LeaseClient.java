package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;

/** Reads and writes leases: the only changes that need no leadership, because leadership comes from them. */
record LeaseClient(Transport transport) implements LeaseStore {

    private static final ResourceKind<Lease> KIND = ResourceKind.of(Lease.class);

    @Override
    public Optional<Lease> read(String namespace, String name) {
        return new ObjectReader(transport).read(Lease.class, namespace, name);
    }

    @Override
    public Lease create(Lease lease) {
        String path = KIND.path(lease.getMetadata().getNamespace());
        return transport.write("Creating", lease, "POST", path, Transport.JSON, lease);
    }

    @Override
    public Lease replace(Lease lease) {
        return transport.write("Replacing", lease, "PUT", KIND.path(lease), Transport.JSON, lease);
    }
}
