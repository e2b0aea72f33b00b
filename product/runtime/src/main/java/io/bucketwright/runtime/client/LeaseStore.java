package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;

/** Where leases are kept; refusals are thrown as {@link ApiException}. */
public interface LeaseStore {

    Optional<Lease> read(String namespace, String name);

    Lease create(Lease lease);

    /** Replaces the very version named in the lease; a field that is not set is removed. */
    Lease replace(Lease lease);
}
