package io.bucketwright.store.gcs;

import io.bucketwright.store.connection.Endpoint;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;

/** Where access tokens of the administrator come from. */
sealed interface TokenSource {

    /** The request for a token, without a time limit. */
    HttpRequest.Builder request(Instant now);

    /** What to check if the request fails. */
    String advice();

    /** A service account whose key is in the administrator's Secret. */
    record Key(ServiceAccountFile file, URI endpoint) implements TokenSource {

        @Override
        public HttpRequest.Builder request(Instant now) {
            String form =
                    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + file.assertion(now);
            return HttpRequest.newBuilder(endpoint)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(form));
        }

        @Override
        public String advice() {
            return "The key of " + file.email() + " in the administrator's Secret may be deleted, disabled or expired.";
        }
    }

    /** The identity of the pod, from the metadata server. */
    record Metadata(Endpoint endpoint) implements TokenSource {

        @Override
        public HttpRequest.Builder request(Instant now) {
            return HttpRequest.newBuilder(
                            URI.create(endpoint.uri() + "/computeMetadata/v1/instance/service-accounts/default/token"))
                    .header("Metadata-Flavor", "Google")
                    .GET();
        }

        @Override
        public String advice() {
            return "With credentials: ambient, the pod needs workload identity: its service account must be allowed to"
                    + " act as a service account of Google Cloud.";
        }
    }
}
