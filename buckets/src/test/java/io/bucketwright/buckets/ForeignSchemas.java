package io.bucketwright.buckets;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The definitions that others ship. */
final class ForeignSchemas {

    private ForeignSchemas() {}

    /** Those of {@code rook} or {@code noobaa}. */
    static List<CustomResourceDefinition> of(String whose) {
        return List.of(
                read("/schemas/" + whose + "/objectbucketclaims.yaml"),
                read("/schemas/" + whose + "/objectbuckets.yaml"));
    }

    private static CustomResourceDefinition read(String resource) {
        try (InputStream yaml = Objects.requireNonNull(ForeignSchemas.class.getResourceAsStream(resource), resource)) {
            return Serialization.unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
