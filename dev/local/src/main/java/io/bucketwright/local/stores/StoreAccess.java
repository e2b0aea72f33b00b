package io.bucketwright.local.stores;

/**
 * How the administrator of an object store reaches it.
 *
 * @param endpoint where clients of the store send their requests; for Azure with the account's name
 * @param iamEndpoint where its users are administered; the same as the endpoint for stores that do that there
 * @param region which clients sign for
 * @param accessKeyId of the administrator; for Azure the account's name; empty for a store without authentication
 * @param secretAccessKey of the administrator; for Azure the account's key; empty for a store without authentication
 * @param credentialsFile the file with these two, as lines that a shell can read; empty for a store without
 *     authentication
 */
public record StoreAccess(
        String endpoint,
        String iamEndpoint,
        String region,
        String accessKeyId,
        String secretAccessKey,
        String credentialsFile) {

    @Override
    public String toString() {
        return "StoreAccess[" + endpoint + ", " + iamEndpoint + ", " + accessKeyId + ", ***]";
    }
}
