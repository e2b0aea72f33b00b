package io.bucketwright.runtime.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads single objects from the API server, one request each. Controllers read caches instead, except where the cache cannot
 * show the object, because its label selector may not match any more, and where something is removed because an object does
 * not exist: a cache may lag.
 */
public record ObjectReader(Transport transport) {

    private static final int PAGE = 500;

    /**
     * The resource versions of all objects of a kind at one time.
     *
     * @param version of the list
     * @param versions of the objects, by name
     */
    public record VersionList(String version, Map<String, String> versions) {
        public VersionList {
            versions = Map.copyOf(versions);
        }
    }

    /** Lists the objects of a namespace, one request for each 500 of them, and returns only their versions. */
    public <T extends HasMetadata> VersionList versions(Class<T> type, String namespace, String labelSelector) {
        ResourceKind<T> kind = ResourceKind.of(type);
        String path = kind.path(namespace) + "?limit=" + PAGE + "&labelSelector=" + encoded(labelSelector);
        Map<String, String> versions = new HashMap<>();
        String next = "";
        String version;
        do {
            byte[] answer = transport.get(
                    "Listing " + kind.plural() + " in " + namespace,
                    next.isEmpty() ? path : path + "&continue=" + encoded(next));
            JsonNode list = transport.json().decode(answer, JsonNode.class);
            list.path("items")
                    .forEach(item -> versions.put(
                            item.at("/metadata/name").asText(),
                            item.at("/metadata/resourceVersion").asText()));
            version = list.at("/metadata/resourceVersion").asText();
            next = list.at("/metadata/continue").asText();
        } while (!next.isEmpty());
        return new VersionList(version, versions);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /**
     * The object as the API server has it.
     *
     * @param namespace empty for cluster-scoped kinds
     */
    public <T extends HasMetadata> Optional<T> read(Class<T> type, String namespace, String name) {
        ResourceKind<T> kind = ResourceKind.of(type);
        String place = namespace.isEmpty() ? name : namespace + "/" + name;
        try {
            byte[] answer = transport.get("Reading " + kind.plural() + " " + place, kind.path(namespace, name));
            return Optional.of(transport.json().decode(answer, type));
        } catch (ApiException e) {
            if (e.error() instanceof ApiError.NotFound) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
