package io.bucketwright.cosi.core;

import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant;
import io.fabric8.kubernetes.api.model.Secret;

/** What this process knows about a Secret for credentials. There is no watch of Secrets. */
public sealed interface UserSecret {

    /** Annotation of the Secret: the grant whose credentials it has. */
    String GRANT = "bucketwright.io/grant";

    default boolean isBeingDeleted() {
        return this instanceof Owned(Secret secret, String _) && Metadata.isBeingDeleted(secret);
    }

    /** Not read, or changed since. */
    record Unknown() implements UserSecret {}

    record Missing() implements UserSecret {}

    /** Somebody else made it, or another access; it is never changed. */
    record Foreign() implements UserSecret {}

    /**
     * It belongs to the access.
     *
     * @param fingerprint of the credentials in it
     */
    record Owned(Secret secret, String fingerprint) implements UserSecret {

        /** Whether it has the credentials of this grant. One that another sidecar wrote has those of an imported grant. */
        boolean has(Grant grant) {
            String written = Metadata.annotation(secret, GRANT);
            return written.isEmpty()
                    ? grant.publication().keyId().isEmpty()
                    : written.equals(grant.id() + "/" + grant.account().name());
        }

        /** Without the credentials. */
        @Override
        public String toString() {
            return "Owned " + secret.getMetadata().getName();
        }
    }
}
