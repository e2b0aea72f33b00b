package io.bucketwright.cosi.transfer;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.runtime.objects.Metadata;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The uids in this cluster of the namespaces that a Bucket of another cluster permits. The request of a transfer contains
 * them, and the sidecar applies them when the store has proved that the bucket belonged to that cluster: a namespace that
 * was deleted and created again in one cluster is never permitted.
 *
 * @param currentByFormer the uid in this cluster by the uid in the former one
 */
public record NamespaceUids(Map<String, String> currentByFormer) {

    /** Annotation of a Bucket with a requested transfer: {@code <former uid>=<uid>}, separated by commas. */
    public static final String ANNOTATION = "cosi.io/transfer-namespace-uids";

    public NamespaceUids {
        currentByFormer = Map.copyOf(currentByFormer);
    }

    /** What the request of the transfer contains. */
    public static NamespaceUids of(Bucket bucket) {
        Map<String, String> uids = new HashMap<>();
        Stream.of(Metadata.annotation(bucket, ANNOTATION).split(",", -1))
                .map(pair -> pair.split("=", -1))
                .filter(pair -> pair.length == 2 && !pair[0].isEmpty() && !pair[1].isEmpty())
                .forEach(pair -> uids.put(pair[0], pair[1]));
        return new NamespaceUids(uids);
    }

    /** The value of the annotation. */
    public String text() {
        return new TreeMap<>(currentByFormer)
                .entrySet().stream()
                        .map(pair -> pair.getKey() + "=" + pair.getValue())
                        .collect(Collectors.joining(","));
    }

    /** The permitted namespaces with their uids in this cluster; one without such a uid stays as it is. */
    public List<PermittedNamespace> applyTo(List<PermittedNamespace> permitted) {
        return permitted.stream()
                .map(former ->
                        new PermittedNamespace(former.name(), currentByFormer.getOrDefault(former.uid(), former.uid())))
                .toList();
    }
}
