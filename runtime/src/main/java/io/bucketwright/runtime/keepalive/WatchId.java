package io.bucketwright.runtime.keepalive;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a list or a watch is about, however its address is written.
 *
 * @param path from {@code /api} or {@code /apis} on
 * @param requirements of the label selector and of the field selector
 */
public record WatchId(String path, Set<String> requirements) {

    public WatchId {
        requirements = Set.copyOf(requirements);
    }

    /** Of the path only: it is computed for each part of a watch, and few watches have the same path. */
    @Override
    public int hashCode() {
        return path.hashCode();
    }

    /** What a request to that address is about. */
    public static WatchId of(URI address) {
        String path = address.getPath();
        int root = Math.max(path.indexOf("/api/"), path.indexOf("/apis/"));
        Set<String> requirements = new HashSet<>();
        String query = address.getRawQuery() == null ? "" : address.getRawQuery();
        for (String parameter : query.split("&", -1)) {
            if (parameter.startsWith("labelSelector=") || parameter.startsWith("fieldSelector=")) {
                String selector =
                        URLDecoder.decode(parameter.substring(parameter.indexOf('=') + 1), StandardCharsets.UTF_8);
                requirements.addAll(List.of(selector.split(",", -1)));
            }
        }
        return new WatchId(path.substring(Math.max(0, root)), requirements);
    }
}
