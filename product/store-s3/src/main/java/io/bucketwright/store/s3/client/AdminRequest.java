package io.bucketwright.store.s3.client;

import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.SdkHttpMethod;

/**
 * One request to an administration API of a store.
 *
 * @param path begins with a slash; contains only characters that need no encoding
 * @param query an empty value for a parameter without one
 */
public record AdminRequest(SdkHttpMethod method, String path, Map<String, String> query, SdkBytes body) {

    /** A request without query and body. */
    public static AdminRequest of(SdkHttpMethod method, String path) {
        return new AdminRequest(method, path, Map.of(), SdkBytes.fromByteArray(new byte[0]));
    }

    /** Adds a parameter of the query. */
    public AdminRequest with(String name, String value) {
        Map<String, String> more = new TreeMap<>(query);
        more.put(name, value);
        return new AdminRequest(method, path, more, body);
    }

    public AdminRequest withBody(byte[] newBody) {
        return new AdminRequest(method, path, query, SdkBytes.fromByteArray(newBody));
    }
}
