package io.bucketwright.cosi.core;

import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedger;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Optional;

/** Where an API keeps accesses, their finalizer and status, the ledger of a bucket, and the content of a Secret. */
public interface AccessRecord {

    /** What the API shows about the grantee, from caches. */
    AccessFacts facts(ObjectKey grantee);

    void protect(HasMetadata access);

    void unprotect(HasMetadata access);

    void writeStatus(HasMetadata access, String accountId, boolean granted);

    /** The newest known version of the bucket; empty if it no longer exists. */
    Optional<GrantingBucket> newest(GrantingBucket bucket);

    /** Replaces the ledger of exactly this version of the bucket. */
    void write(GrantingBucket bucket, GrantLedger ledger);

    DriverOrder.Grant order(GrantingBucket bucket, Grant grant, Permission.Permitted permission);

    DriverOrder.Revoke revocation(GrantingBucket bucket, Grant grant, String id);

    /** The content of the Secret. */
    Map<String, String> content(HasMetadata access, GrantingBucket bucket, GrantedAccess granted);

    /** Annotations by which admission policies recognise the Secrets of this sidecar. */
    Map<String, String> secretAnnotations();

    /** Whether the Secret belongs to the access with this uid, whichever sidecar wrote it. */
    boolean isOf(Secret secret, String uid);

    /** Equal for equal credentials only. */
    String fingerprint(AccountCredentials credentials);

    /** Of the credentials in a Secret of an access. */
    String fingerprint(Secret secret);
}
