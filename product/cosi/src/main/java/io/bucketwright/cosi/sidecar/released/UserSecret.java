package io.bucketwright.cosi.sidecar.released;

import io.fabric8.kubernetes.api.model.Secret;

/** What this process knows about the Secret that a BucketAccess names. There is no watch of Secrets. */
sealed interface UserSecret {

    /** Not read, or changed since. */
    record Unknown() implements UserSecret {}

    record Missing() implements UserSecret {}

    /** Somebody else made it, or another BucketAccess; it is never changed. */
    record Foreign() implements UserSecret {}

    /** It contains credentials of this BucketAccess. */
    record Owned(Secret secret) implements UserSecret {
        /** Without the credentials. */
        @Override
        public String toString() {
            return "Owned " + secret.getMetadata().getName();
        }
    }
}
