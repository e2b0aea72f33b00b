package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.IssuedAccess;
import io.bucketwright.cosi.v1alpha2.V1alpha2Access;

/** What the sidecar does for a BucketAccess. */
sealed interface V1alpha2GrantStep {

    /** Creates the Secrets without content, so that the names are reserved before the driver is called. */
    record ReserveSecrets(V1alpha2Access access, String inputs) implements V1alpha2GrantStep {}

    record Grant(V1alpha2Access access, String inputs) implements V1alpha2GrantStep {}

    /** Records the account, so that it can be revoked. */
    record WriteAccount(V1alpha2Access access, String accountId) implements V1alpha2GrantStep {}

    record FillSecrets(V1alpha2Access access, IssuedAccess issued, String inputs) implements V1alpha2GrantStep {
        /** Without the credentials. */
        @Override
        public String toString() {
            return "FillSecrets of " + access.getMetadata().getName();
        }
    }

    /** Writes whether the access can be used, and removes a former problem. */
    record WriteReady(V1alpha2Access access, boolean ready) implements V1alpha2GrantStep {}

    /** Looks whether there are Secrets of the access. */
    record FindSecrets(V1alpha2Access access) implements V1alpha2GrantStep {}

    record RemoveSecrets(V1alpha2Access access) implements V1alpha2GrantStep {}

    record Revoke(V1alpha2Access access, String inputs) implements V1alpha2GrantStep {}

    /** Hands the access back to the controller. */
    record FinishCleanup(V1alpha2Access access) implements V1alpha2GrantStep {}

    record WriteError(V1alpha2Access access, String message) implements V1alpha2GrantStep {}
}
