package io.bucketwright.buckets;

import io.bucketwright.api.Crds;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The definitions that other projects ship. */
final class ForeignSchemas {

    private ForeignSchemas() {}

    /** A bench with the definitions of {@code rook} or {@code noobaa}, until it is closed. */
    static Bench bench(String owner, TestCluster cluster) {
        List<CustomResourceDefinition> definitions = List.of(
                read("/schemas/" + owner + "/objectbucketclaims.yaml"),
                read("/schemas/" + owner + "/objectbuckets.yaml"));
        Bench bench = new Bench(cluster, "", definitions);
        bench.onClose(() -> cluster.install(Crds.all()));
        return bench;
    }

    private static CustomResourceDefinition read(String resource) {
        try (InputStream yaml = Objects.requireNonNull(ForeignSchemas.class.getResourceAsStream(resource), resource)) {
            return Serialization.unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
