package io.bucketwright.store.s3.identity;

import io.bucketwright.store.options.Capability;
import java.util.Set;

/**
 * Who may use the buckets of a store.
 *
 * @param unsupported what a store with these principals does not support
 */
public record Identity(Principals principals, BucketClients clients, BucketQuotas quotas, Set<Capability> unsupported)
        implements AutoCloseable {

    public Identity {
        unsupported = Set.copyOf(unsupported);
    }

    @Override
    public void close() {
        principals.close();
        clients.close();
    }
}
