package io.bucketwright.cosi.sidecar.driver;

/**
 * A driver's answer to the order to grant access.
 *
 * @param accountId by which the account is revoked
 * @param bucketName by which applications find the bucket in the store; empty if the driver does not say it
 */
public record GrantedAccess(String accountId, AccountCredentials credentials, String bucketName) {

    public GrantedAccess(String accountId, AccountCredentials credentials) {
        this(accountId, credentials, "");
    }

    /** The name for applications: what the driver says, which knows the store, or else this one. */
    public String bucketNameOr(String otherwise) {
        return bucketName.isEmpty() ? otherwise : bucketName;
    }
}
