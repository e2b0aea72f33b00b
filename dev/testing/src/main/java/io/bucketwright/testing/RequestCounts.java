package io.bucketwright.testing;

import io.bucketwright.local.audit.AuditedRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The requests of one user. Requests for Leases are left out: their number depends on time. */
public record RequestCounts(List<AuditedRequest> all) {

    public RequestCounts {
        all = List.copyOf(all);
    }

    /** Writes of everything but events. */
    public long writes() {
        return count(request -> request.isWrite() && !request.isEvent());
    }

    /** Reads of single objects. */
    public long reads() {
        return count(request -> request.verb().equals("get"));
    }

    public long lists() {
        return count(request -> request.verb().equals("list"));
    }

    /** Watches that have ended; the log has them only then. */
    public long watches() {
        return count(request -> request.verb().equals("watch"));
    }

    /** Writes of events. */
    public long events() {
        return count(request -> request.isWrite() && request.isEvent());
    }

    public long of(String verb, String resource) {
        return count(
                request -> request.verb().equals(verb) && request.resource().equals(resource));
    }

    public long count(Predicate<AuditedRequest> which) {
        return all.stream().filter(which).count();
    }

    /** The requests after an earlier count of the same user. */
    public RequestCounts since(RequestCounts earlier) {
        return new RequestCounts(all.subList(earlier.all().size(), all.size()));
    }

    /**
     * Only the requests for objects of these namespaces and for objects without one. A controller of all namespaces also serves
     * what earlier tests left in a namespace that is being deleted.
     */
    public RequestCounts within(String... namespaces) {
        return new RequestCounts(all.stream()
                .filter(request ->
                        request.namespace().isEmpty() || List.of(namespaces).contains(request.namespace()))
                .toList());
    }

    /** Counts by verb and resource, for messages of failed assertions. */
    @Override
    public String toString() {
        Map<String, Long> counts = all.stream()
                .collect(Collectors.groupingBy(
                        request -> request.verb() + " " + request.resource() + " " + request.code(),
                        TreeMap::new,
                        Collectors.counting()));
        return counts.toString();
    }
}
