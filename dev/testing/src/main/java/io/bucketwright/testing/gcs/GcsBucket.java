package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A bucket, its policy and its contents. */
final class GcsBucket {

    /**
     * One generation of an object.
     *
     * @param data each character is a byte
     * @param live false for a noncurrent generation
     */
    record Generation(long number, String data, boolean live, Instant created) {}

    final String name;
    ObjectNode resource;
    ArrayNode bindings = JsonNodeFactory.instance.arrayNode();
    int policyVersion = 1;
    long policyEtag = 1;
    long metageneration = 1;

    private final Map<String, List<Generation>> objects = new TreeMap<>();

    /** Names of deleted objects that can be restored. */
    final Set<String> softDeleted = new TreeSet<>();

    /** Keys of incomplete uploads by their ids. */
    final Map<String, String> uploads = new LinkedHashMap<>();

    GcsBucket(String name, ObjectNode resource) {
        this.name = name;
        this.resource = resource;
    }

    ObjectNode shown() {
        ObjectNode shown = resource.deepCopy();
        shown.put("kind", "storage#bucket").put("id", name).put("metageneration", Long.toString(metageneration));
        return shown;
    }

    boolean isUniform() {
        return resource.path("iamConfiguration")
                .path("uniformBucketLevelAccess")
                .path("enabled")
                .asBoolean(false);
    }

    boolean isEmpty() {
        return objects.isEmpty();
    }

    Map<String, List<Generation>> objects() {
        return objects;
    }

    Optional<Generation> live(String key) {
        return objects.getOrDefault(key, List.of()).stream()
                .filter(Generation::live)
                .findFirst();
    }

    void put(String key, String data, long generation) {
        retire(key);
        objects.computeIfAbsent(key, _ -> new ArrayList<>()).add(new Generation(generation, data, true, Instant.now()));
    }

    /** What happens to a live generation that is deleted or overwritten. */
    void retire(String key) {
        Optional<Generation> old = live(key);
        old.ifPresent(live -> {
            checkRetention(live);
            remove(key, live);
            if (resource.path("versioning").path("enabled").asBoolean(false)) {
                objects.computeIfAbsent(key, _ -> new ArrayList<>())
                        .add(new Generation(live.number(), live.data(), false, live.created()));
            }
        });
    }

    void delete(String key, long number) {
        Generation generation = objects.getOrDefault(key, List.of()).stream()
                .filter(candidate -> candidate.number() == number)
                .findFirst()
                .orElseThrow(() -> GcsProblem.notFound("No such object: " + name + "/" + key));
        checkRetention(generation);
        remove(key, generation);
    }

    private void remove(String key, Generation generation) {
        List<Generation> generations = objects.getOrDefault(key, new ArrayList<>());
        generations.remove(generation);
        if (generations.isEmpty()) {
            objects.remove(key);
        }
    }

    private void checkRetention(Generation generation) {
        JsonNode policy = resource.path("retentionPolicy");
        if (!policy.isMissingNode()
                && generation
                        .created()
                        .plusSeconds(policy.path("retentionPeriod").asLong())
                        .isAfter(Instant.now())) {
            throw new GcsProblem(403, "retentionPolicyNotMet", "Object is subject to bucket's retention policy");
        }
    }
}
