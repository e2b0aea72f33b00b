package io.bucketwright.devtools.image;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What labels and annotations report about an image.
 *
 * @param reference repository and tag, such as {@code bucketwright:0.1.0}
 * @param revision the commit that it was built from
 * @param source the address of the source code
 */
record ImageMetadata(
        String reference, String version, Instant created, Optional<String> revision, Optional<String> source) {

    static final String PREFIX = "org.opencontainers.image.";

    /** By the names that the OCI image specification defines. */
    Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(PREFIX + "title", "bucketwright");
        labels.put(PREFIX + "description", "Provisions buckets and volumes on Kubernetes.");
        labels.put(PREFIX + "version", version);
        labels.put(PREFIX + "created", created.toString());
        labels.put(PREFIX + "licenses", "Apache-2.0");
        revision.ifPresent(value -> labels.put(PREFIX + "revision", value));
        source.ifPresent(value -> labels.put(PREFIX + "source", value));
        return labels;
    }

    String tag() {
        return reference.substring(reference.lastIndexOf(':') + 1);
    }

    /** The reference as containerd and Kubernetes complete it: a name without a registry is one of Docker Hub. */
    String qualifiedReference() {
        int slash = reference.indexOf('/');
        String first = slash < 0 ? "" : reference.substring(0, slash);
        if (first.contains(".") || first.contains(":") || first.equals("localhost")) {
            return reference;
        }
        return "docker.io/" + (slash < 0 ? "library/" : "") + reference;
    }
}
