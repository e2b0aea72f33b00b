package io.bucketwright.cosi.sanity;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * An application that uses its bucket. The requests are written out here, because the suite must not depend on the SDK of a
 * vendor to test that vendor's driver. Each method returns the HTTP status.
 */
sealed interface StoreTestClient permits S3TestClient, AzureTestClient {

    /**
     * A client for the bucket that the credentials name.
     *
     * @throws CheckFailed if they lack a value that an application needs
     * @throws CheckSkipped if the suite has no client for the protocol
     */
    static StoreTestClient of(HttpClient http, GrantedCredentials granted) {
        return switch (granted.protocol()) {
            case S3 -> S3TestClient.of(http, granted);
            case AZURE_BLOB -> AzureTestClient.of(http, granted);
            case GCS -> {
                if (granted.value("AWS_ACCESS_KEY_ID").isEmpty()) {
                    throw new CheckSkipped("of the credentials for Google Cloud Storage, only HMAC keys can be tested");
                }
                yield S3TestClient.of(http, granted);
            }
            case PROTOCOL_UNSPECIFIED, UNRECOGNIZED ->
                throw new CheckSkipped("credentials for an unknown protocol cannot be tested");
        };
    }

    /** The same credentials at another bucket of the same store. */
    StoreTestClient at(String otherBucket);

    /** The same bucket, without credentials. */
    StoreTestClient anonymous();

    default int put(String object, String content) {
        return send("PUT", object, content);
    }

    default int get(String object) {
        return send("GET", object, "");
    }

    default int delete(String object) {
        return send("DELETE", object, "");
    }

    /**
     * Sends a request about an object.
     *
     * @param content empty for none
     */
    int send(String method, String object, String content);

    /** Whether the status says that the client has no permission. */
    boolean isForbidden(int status);

    /**
     * Sends a request and returns the status of the response.
     *
     * @param place where the store is, without credentials
     * @throws CheckFailed if there is no response
     */
    static int status(HttpClient http, HttpRequest request, String place) {
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new CheckFailed("The store at " + place + " could not be reached: " + e.getMessage());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The exception of a check whose thread was interrupted. */
    static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("The checks were interrupted.", e);
    }

    /** A value that an application needs. */
    static String text(GrantedCredentials granted, String key) {
        return granted.value(key)
                .orElseThrow(() -> new CheckFailed("The credentials have no " + key + "; they have "
                        + granted.all().keySet() + "."));
    }
}
