package io.bucketwright.bench.measure;

import io.bucketwright.local.audit.AuditedRequest;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Numbers of requests by verb and resource, such as {@code patch objectbucketclaims/status}.
 *
 * @param counts without requests for Leases
 * @param leases requests for Leases: their number depends on time, not on work
 */
public record RequestTally(SortedMap<String, Long> counts, SortedMap<String, Long> leases) {

    /** A path that is no resource, such as /version. */
    private static final String NO_RESOURCE = "(server)";

    public RequestTally {
        counts = new TreeMap<>(counts);
        leases = new TreeMap<>(leases);
    }

    /** Adds requests one by one. */
    public static final class Builder {

        private final SortedMap<String, Long> counts = new TreeMap<>();
        private final SortedMap<String, Long> leases = new TreeMap<>();

        public void add(AuditedRequest request) {
            // A request that was not accepted is worth seeing: a conflict costs as much as a write.
            String refused = request.code() >= 400 ? " " + request.code() : "";
            String resource = request.resource().isEmpty() ? NO_RESOURCE : request.resource();
            (request.isLease() ? leases : counts).merge(request.verb() + " " + resource + refused, 1L, Long::sum);
        }

        public RequestTally build() {
            return new RequestTally(counts, leases);
        }
    }

    /** All requests, also those for Leases. */
    public SortedMap<String, Long> withLeases() {
        SortedMap<String, Long> all = new TreeMap<>(counts);
        all.putAll(leases);
        return all;
    }

    /** Changes of objects other than events. */
    public long writes() {
        return sum((verb, resource) -> isWrite(verb) && !resource.startsWith("events"));
    }

    /** Reads of single objects; the version of the server is none. */
    public long reads() {
        return sum((verb, resource) -> verb.equals("get") && !resource.startsWith(NO_RESOURCE));
    }

    public long events() {
        return sum((verb, resource) -> isWrite(verb) && resource.startsWith("events"));
    }

    private long sum(RequestFilter filter) {
        return counts.entrySet().stream()
                .filter(entry -> {
                    String[] words = entry.getKey().split(" ", 2);
                    return filter.test(words[0], words[1]);
                })
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static boolean isWrite(String verb) {
        return new AuditedRequest(verb, "", "", "", 0).isWrite();
    }

    @FunctionalInterface
    private interface RequestFilter {
        boolean test(String verb, String resource);
    }
}
