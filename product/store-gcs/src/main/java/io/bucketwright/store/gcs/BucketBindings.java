package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The bindings in the IAM policy of a bucket. A policy is read, changed and written if it is still the one that was read;
 * several claims may share a bucket, so a change is tried again a few times.
 */
record BucketBindings(GcsClient client, GcsParameters parameters) {

    private static final String EVERYBODY = "allUsers";
    private static final String KIND = "storage#policy";
    private static final int ATTEMPTS = 6;
    private static final int LONGEST_PAUSE_MILLIS = 120;

    /** The version of policies that can have conditions. */
    private static final String VERSION = "3";

    private static final List<String> OF_THE_PROJECT = List.of("projectOwner:", "projectEditor:", "projectViewer:");

    /** Gives a member exactly these roles. */
    void set(StoreCall call, BucketName bucket, String member, List<BucketRole> roles) {
        List<ObjectNode> _ = modify(call, bucket, bindings -> {
            List<ObjectNode> changed = without(bindings, is(member));
            roles.forEach(role -> addTo(changed, member, role));
            return changed;
        });
    }

    /**
     * Gives everybody those of the roles that an option can set; keeps others.
     *
     * @return whether everybody, or everybody with an account of Google, has any role then
     */
    boolean setAnonymous(StoreCall call, BucketName bucket, List<BucketRole> roles) {
        List<ObjectNode> left = new ArrayList<>();
        List<ObjectNode> _ = modify(call, bucket, bindings -> {
            List<ObjectNode> changed = without(
                    bindings,
                    binding -> BucketRole.ANONYMOUS.stream().anyMatch(role -> role.isIn(binding)),
                    EVERYBODY::equals);
            roles.forEach(role -> addTo(changed, EVERYBODY, role));
            left.clear();
            left.addAll(changed);
            return changed;
        });
        return contain(left, EVERYBODY) || contain(left, "allAuthenticatedUsers");
    }

    /**
     * Removes a member from all bindings.
     *
     * @return whether it had a role; false if only a deleted service account of the same name had one
     */
    boolean remove(StoreCall call, BucketName bucket, String member) {
        return contain(modify(call, bucket, bindings -> without(bindings, is(member))), member);
    }

    /** Whether the member has a role on the bucket. */
    boolean has(StoreCall call, BucketName bucket, String member) {
        return contain(read(call, bucket).path("bindings").valueStream().toList(), member);
    }

    private static boolean contain(List<? extends JsonNode> bindings, String member) {
        return bindings.stream()
                .flatMap(binding -> binding.path("members").valueStream())
                .anyMatch(other -> other.asText("").equals(member));
    }

    /** Members of bindings other than those of the project itself, except these. */
    Collection<String> others(StoreCall call, BucketName bucket, Predicate<String> except) {
        Collection<String> others = new TreeSet<>();
        for (JsonNode binding : read(call, bucket).path("bindings")) {
            for (JsonNode member : binding.path("members")) {
                if (OF_THE_PROJECT.stream().noneMatch(member.asText("")::startsWith)
                        && !except.test(member.asText(""))) {
                    others.add(member.asText(""));
                }
            }
        }
        return others;
    }

    void removeAll(StoreCall call, BucketName bucket, Collection<String> members) {
        List<ObjectNode> _ = modify(call, bucket, bindings -> without(bindings, members::contains));
    }

    /** Changes the bindings, and returns the former ones. */
    private List<ObjectNode> modify(StoreCall call, BucketName bucket, UnaryOperator<List<ObjectNode>> change) {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            JsonNode policy = read(call, bucket);
            List<ObjectNode> before = new ArrayList<>();
            policy.path("bindings").forEach(binding -> before.add(binding.deepCopy()));
            List<ObjectNode> after = change.apply(before);
            if (after.equals(before) || write(call, bucket, policy, after).isPresent()) {
                return before;
            }
            call.pause(Duration.ofMillis(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS)));
        }
        throw new Unavailable("The IAM policy of the bucket " + bucket + " is being changed by many at the same time.");
    }

    private JsonNode read(StoreCall call, BucketName bucket) {
        return client.read(
                call,
                ApiRequest.of(
                                "read the IAM policy of " + bucket,
                                "GET",
                                parameters.endpoint(),
                                Buckets.path(bucket) + "/iam")
                        .with("optionsRequestedPolicyVersion", VERSION),
                KIND);
    }

    private Optional<JsonNode> write(StoreCall call, BucketName bucket, JsonNode policy, List<ObjectNode> bindings) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        boolean conditional = bindings.stream().anyMatch(binding -> binding.has("condition"));
        body.put(
                "version",
                conditional ? Integer.parseInt(VERSION) : policy.path("version").asInt(1));
        body.put("etag", policy.path("etag").asText(""));
        body.putArray("bindings").addAll(bindings);
        return client.sendConditionally(
                call,
                ApiRequest.of(
                                "change the IAM policy of " + bucket,
                                "PUT",
                                parameters.endpoint(),
                                Buckets.path(bucket) + "/iam")
                        .with(body));
    }

    /** The member itself, and what remains of a deleted service account of the same name. */
    private static Predicate<String> is(String member) {
        return other -> other.equals(member) || other.startsWith("deleted:" + member + "?");
    }

    private static List<ObjectNode> without(List<ObjectNode> bindings, Predicate<String> removed) {
        return without(bindings, _ -> true, removed);
    }

    private static List<ObjectNode> without(
            List<ObjectNode> bindings, Predicate<ObjectNode> affected, Predicate<String> removed) {
        List<ObjectNode> changed = new ArrayList<>();
        for (ObjectNode binding : bindings) {
            if (!affected.test(binding)) {
                changed.add(binding.deepCopy());
                continue;
            }
            ObjectNode kept = binding.deepCopy();
            kept.putArray("members")
                    .addAll(binding.path("members")
                            .valueStream()
                            .filter(member -> !removed.test(member.asText("")))
                            .toList());
            if (!kept.path("members").isEmpty()) {
                changed.add(kept);
            }
        }
        return changed;
    }

    private static void addTo(List<ObjectNode> bindings, String member, BucketRole role) {
        Optional<ObjectNode> existing = bindings.stream().filter(role::isIn).findFirst();
        if (existing.isPresent()) {
            existing.get().withArray("members").add(member);
        } else {
            ObjectNode binding = role.binding();
            binding.putArray("members").add(member);
            bindings.add(binding);
        }
    }
}
