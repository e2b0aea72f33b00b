package io.bucketwright.store.azure;

import io.bucketwright.store.access.BucketName;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One request of the Blob service.
 *
 * @param action completes the sentence "Could not …"
 * @param path the container and perhaps a blob, encoded, without the account; starts with a slash
 * @param query parameters, not encoded
 * @param headers in lower case; all of them start with x-ms-, except {@link SharedKey#UNMODIFIED_SINCE}
 * @param body XML, or empty
 */
record BlobRequest(
        String action,
        String method,
        String path,
        SortedMap<String, String> query,
        SortedMap<String, String> headers,
        String body) {

    /** A request for a container. */
    static BlobRequest container(String action, String method, BucketName bucket) {
        return new BlobRequest(action, method, "/" + bucket.text(), new TreeMap<>(), new TreeMap<>(), "")
                .query("restype", "container");
    }

    /** A request for the whole service. */
    static BlobRequest service(String action, String method) {
        return new BlobRequest(action, method, "/", new TreeMap<>(), new TreeMap<>(), "");
    }

    /** A request for a blob. */
    static BlobRequest blob(String action, String method, BucketName bucket, String name) {
        return new BlobRequest(
                action,
                method,
                "/" + bucket.text() + "/" + BlobService.encode(name).replace("%2F", "/"),
                new TreeMap<>(),
                new TreeMap<>(),
                "");
    }

    BlobRequest query(String name, String value) {
        SortedMap<String, String> more = new TreeMap<>(query);
        more.put(name, value);
        return new BlobRequest(action, method, path, more, headers, body);
    }

    BlobRequest header(String name, String value) {
        SortedMap<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new BlobRequest(action, method, path, query, more, body);
    }

    BlobRequest body(String xml) {
        return new BlobRequest(action, method, path, query, headers, xml);
    }
}
