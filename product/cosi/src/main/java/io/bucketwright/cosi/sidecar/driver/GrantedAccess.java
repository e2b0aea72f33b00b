package io.bucketwright.cosi.sidecar.driver;

/**
 * A driver's answer to the order to grant access.
 *
 * @param accountId by which the account is revoked
 */
public record GrantedAccess(String accountId, AccountCredentials credentials) {}
