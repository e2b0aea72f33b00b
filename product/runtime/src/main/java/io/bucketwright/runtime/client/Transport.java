package io.bucketwright.runtime.client;

import io.bucketwright.runtime.json.JsonCodec;

/**
 * Sends single requests to an API server and never repeats one: the work queue decides whether to try again. Tests put a
 * server in memory in its place.
 */
public interface Transport {

    String JSON = "application/json";
    String JSON_PATCH = "application/json-patch+json";
    String MERGE_PATCH = "application/merge-patch+json";

    /**
     * Sends a request and returns the body of the response.
     *
     * @param what describes the request in errors
     * @param path below the root of the server, without a leading slash
     * @throws ApiException if the request failed
     */
    byte[] send(String what, String method, String path, String contentType, String body);

    /** Reads the object at that path. */
    byte[] get(String what, String path);

    JsonCodec json();
}
