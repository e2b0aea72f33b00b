package io.bucketwright.store.s3.client;

import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.http.SdkHttpMethod;

/** One request to an administration API of a store. */
public final class AdminRequest {

    private final SdkHttpMethod method;
    private final String path;
    private final Map<String, String> query;
    private final byte[] body;

    private AdminRequest(SdkHttpMethod method, String path, Map<String, String> query, byte[] body) {
        this.method = method;
        this.path = path;
        this.query = query;
        this.body = body;
    }

    /**
     * A request without query and body.
     *
     * @param path begins with a slash; contains only characters that need no encoding
     */
    public static AdminRequest of(SdkHttpMethod method, String path) {
        return new AdminRequest(method, path, Map.of(), new byte[0]);
    }

    /** Adds a parameter of the query; an empty value for one without. */
    public AdminRequest with(String name, String value) {
        Map<String, String> more = new TreeMap<>(query);
        more.put(name, value);
        return new AdminRequest(method, path, more, body);
    }

    public AdminRequest withBody(byte[] newBody) {
        return new AdminRequest(method, path, query, newBody.clone());
    }

    SdkHttpMethod method() {
        return method;
    }

    String path() {
        return path;
    }

    Map<String, String> query() {
        return query;
    }

    byte[] body() {
        return body.clone();
    }
}
