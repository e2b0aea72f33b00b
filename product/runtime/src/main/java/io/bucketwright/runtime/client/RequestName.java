package io.bucketwright.runtime.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A request as the API server's audit log names it.
 *
 * @param resource with its subresource, as in {@code pods/status}; {@code none} for paths that are no resources
 */
record RequestName(String verb, String resource) {

    private static final Set<String> OF_A_NAMESPACE_ITSELF = Set.of("status", "finalize");

    /** Of a request to a server at the root of its host. Behind another root, only the verb tells reads from changes. */
    static RequestName of(String method, URI uri) {
        return of(method, uri, "");
    }

    /**
     * Of a request.
     *
     * @param root the path of the server, before {@code /api} or {@code /apis}
     */
    static RequestName of(String method, URI uri, String root) {
        List<String> parts = afterApiVersion(uri.getRawPath(), root);
        if (parts.isEmpty()) {
            return new RequestName(method.toLowerCase(Locale.ROOT), "none");
        }
        boolean inNamespace = parts.size() > 2
                && parts.getFirst().equals("namespaces")
                && !OF_A_NAMESPACE_ITSELF.contains(parts.get(2));
        List<String> own = inNamespace ? parts.subList(2, parts.size()) : parts;
        String resource = own.size() > 2 ? own.getFirst() + "/" + own.get(2) : own.getFirst();
        return new RequestName(verb(method, own.size() > 1, uri), resource);
    }

    boolean changes() {
        return !Set.of("get", "list", "watch", "head", "options").contains(verb);
    }

    private static String verb(String method, boolean named, URI uri) {
        return switch (method.toUpperCase(Locale.ROOT)) {
            case "GET" -> {
                if (named) {
                    yield "get";
                }
                String query = uri.getQuery();
                yield query != null && query.contains("watch=true") ? "watch" : "list";
            }
            case "POST" -> "create";
            case "PUT" -> "update";
            case "DELETE" -> named ? "delete" : "deletecollection";
            default -> method.toLowerCase(Locale.ROOT);
        };
    }

    private static List<String> afterApiVersion(String path, String root) {
        if (!path.startsWith(root)) {
            return List.of();
        }
        List<String> parts = new ArrayList<>();
        for (int start = root.length(); start < path.length(); ) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            if (end > start) {
                parts.add(path.substring(start, end));
            }
            start = end + 1;
        }
        int before = switch (parts.isEmpty() ? "" : parts.getFirst()) {
            case "api" -> 2;
            case "apis" -> 3;
            default -> parts.size();
        };
        return parts.size() > before ? parts.subList(before, parts.size()) : List.of();
    }
}
