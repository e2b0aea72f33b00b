package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.wire.ParameterKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A bucket of a check.
 *
 * @param parameters include the ids of the owner
 */
record TestBucket(String name, Map<String, String> parameters) {

    /** Names that no driver may accept, of any protocol. */
    public static final List<String> INVALID_NAMES = List.of(
            "../../etc/passwd",
            "a/b",
            "two words",
            "line\nbreak",
            "tab\there",
            "nul\u0000byte",
            "$(reboot)",
            "`reboot`",
            "'; DROP TABLE buckets; --",
            "<script>",
            "%2e%2e%2f",
            "\u202egpj.stekcub",
            "bücket",
            "-",
            ".",
            "a".repeat(300),
            "a".repeat(70_000));

    public TestBucket {
        parameters = Map.copyOf(parameters);
    }

    /** A bucket of the same name that belongs to another Bucket object. */
    public TestBucket ofAnotherOwner() {
        Map<String, String> others = new HashMap<>(parameters);
        others.put(ParameterKeys.OWNER_UID, UUID.randomUUID().toString());
        return new TestBucket(name, others);
    }

    public TestBucket named(String other) {
        return new TestBucket(other, parameters);
    }
}
