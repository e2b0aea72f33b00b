package io.bucketwright.app.chart;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The service account of a sidecar, used with kubectl as whoever has its token would. Each request is exactly one: nothing is
 * read first.
 *
 * @param name {@code system:serviceaccount:<namespace>:<name>}
 */
record DriverAccount(TestCluster cluster, String name, Path folder) {

    private static final ObjectMapper JSON = new ObjectMapper();

    String get(String path) {
        return kubectl("get", "--raw", path);
    }

    String delete(String path) {
        return kubectl("delete", "--raw", path);
    }

    String create(String path, String json) {
        return kubectl("create", "--raw", path, "-f", file(json));
    }

    /** Replaces the object by a changed copy of what the administrator reads. */
    String put(String path, Consumer<ObjectNode> change) {
        return put(path, "", change);
    }

    String putStatus(String path, String status) {
        return put(path, "/status", object -> object.set("status", json(status)));
    }

    private String put(String path, String subresource, Consumer<ObjectNode> change) {
        ObjectNode object = json(cluster.kubectl("get", "--raw", path));
        change.accept(object);
        return kubectl("replace", "--raw", path + subresource, "-f", file(object.toString()));
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    static ObjectNode metadata(ObjectNode object) {
        return object.withObject("/metadata");
    }

    private String kubectl(String... arguments) {
        return cluster.kubectl(
                Stream.concat(Stream.of("--as=" + name), Stream.of(arguments)).toArray(String[]::new));
    }

    private String file(String json) {
        try {
            return Files.writeString(folder.resolve("request.json"), json).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
