package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.client.ResourceKind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** Where the objects of a kind and scope are listed and watched, below the root of the API server. */
record ListWatchPaths(ResourceKind<?> kind, Scope scope) {

    /** Objects in a page. Each is decoded while the page arrives, so its size does not matter here. */
    private static final int PAGE = 500;

    /** The server ends a watch after this time and at most as much again, so that not all end at once. */
    private static final int SHORTEST_WATCH_SECONDS = 300;

    /** The server sends a bookmark about two seconds before the end of a watch; in a shorter watch it sends none. */
    private static final int BOOKMARK_SECONDS = 3;

    private static final String NO_OBJECT = "bucketwright-no-object";

    /**
     * The path of a list.
     *
     * @param next identifies a page as the former one did; empty for the first
     */
    String list(String next) {
        return collection() + "limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + encoded(next));
    }

    /** The path of a list without pages. */
    String wholeList() {
        String path = collection();
        return path.substring(0, path.length() - 1);
    }

    /** The path of a watch of all changes after this version. */
    String watch(String version) {
        return watch(
                version, SHORTEST_WATCH_SECONDS + ThreadLocalRandom.current().nextInt(SHORTEST_WATCH_SECONDS));
    }

    private String watch(String version, int seconds) {
        return collection() + "watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds + "&resourceVersion="
                + encoded(version);
    }

    /** The path of a watch of all changes after this version that sends a bookmark soon, and ends soon. */
    String bookmark(String version) {
        return watch(version, BOOKMARK_SECONDS);
    }

    /**
     * The path of a list that is nearly always empty: only its version is of interest. It has one namespace and one name, so
     * that the server looks up a name and filters nothing. A name of the scope stays: a role may be allowed only that one.
     */
    String version() {
        String namespace = kind.namespaced() && scope.namespace().isEmpty() ? "default" : scope.namespace();
        String name = scope.name().isEmpty() ? NO_OBJECT : scope.name();
        return kind.collection(namespace) + "?fieldSelector=" + encoded("metadata.name=" + name);
    }

    private String collection() {
        return kind.collection(scope.namespace()) + "?" + parameter("labelSelector", scope.labelSelector())
                + parameter("fieldSelector", scope.fieldSelector());
    }

    private static String parameter(String name, String value) {
        return value.isEmpty() ? "" : name + "=" + encoded(value) + "&";
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
