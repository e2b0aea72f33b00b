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

    /** A bench with the definitions of another project, until it is closed. */
    record Installed(Bench bench, TestCluster cluster) implements AutoCloseable {
        @Override
        public void close() {
            try {
                bench.close();
            } finally {
                cluster.install(Crds.all());
            }
        }
    }

    /** Installs the definitions of {@code rook} or {@code noobaa}. */
    static Installed install(String owner, TestCluster cluster) {
        List<CustomResourceDefinition> definitions = List.of(
                read("/schemas/" + owner + "/objectbucketclaims.yaml"),
                read("/schemas/" + owner + "/objectbuckets.yaml"));
        return new Installed(new Bench(cluster, "", definitions), cluster);
    }

    private static CustomResourceDefinition read(String resource) {
        try (InputStream yaml = Objects.requireNonNull(ForeignSchemas.class.getResourceAsStream(resource), resource)) {
            return Serialization.unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
