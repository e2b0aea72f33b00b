package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;

/** Reads and writes leases: the only changes that need no leadership, because leadership comes from them. */
final class LeaseClient implements LeaseStore {

    private final Transport transport;
    private final ObjectReader reader;
    private final ResourceKind<Lease> kind = ResourceKind.of(Lease.class);

    LeaseClient(Transport transport) {
        this.transport = transport;
        this.reader = new ObjectReader(transport);
    }

    @Override
    public Optional<Lease> read(String namespace, String name) {
        return reader.read(Lease.class, namespace, name);
    }

    @Override
    public Lease create(Lease lease) {
        return send(lease, "Creating", "POST", kind.path(lease.getMetadata().getNamespace()));
    }

    @Override
    public Lease replace(Lease lease) {
        return send(lease, "Replacing", "PUT", kind.path(lease));
    }

    private Lease send(Lease lease, String doing, String method, String path) {
        String answer = transport.send(
                doing + " " + kind.describe(lease),
                method,
                path,
                Transport.JSON,
                transport.json().asJson(lease));
        return transport.json().unmarshal(answer, Lease.class);
    }
}
