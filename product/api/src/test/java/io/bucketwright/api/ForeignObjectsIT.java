package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects in the format of Rook, NooBaa and the design documents, stored with the CRDs of Bucketwright. */
@OnCluster
class ForeignObjectsIT {
    static Stream<String> samples() {
        return Stream.concat(Samples.CLAIMS.stream(), Samples.BUCKETS.stream());
    }

    @BeforeEach
    void install(TestCluster cluster) {
        cluster.install(Crds.objectBuckets());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void noFieldIsRejectedOrDropped(String sample, TestCluster cluster) {
        JsonNode wanted = Samples.tree(Samples.yaml(sample));
        JsonNode stored = store(sample, cluster);

        assertThat(stored.get("spec")).isEqualTo(wanted.get("spec"));
        if (wanted.has("status")) {
            assertThat(stored.get("status")).isEqualTo(wanted.get("status"));
        } else {
            assertThat(stored.at("/status/phase").asText()).isEqualTo("Pending");
        }
        assertThat(stored.at("/metadata/labels")).isEqualTo(wanted.at("/metadata/labels"));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aFullUpdateThroughOurTypesChangesNothing(String sample, TestCluster cluster) {
        JsonNode before = store(sample, cluster);
        KubernetesClient client = cluster.admin();
        String name = before.at("/metadata/name").asText();
        HasMetadata read = Samples.CLAIMS.contains(sample)
                ? client.resources(ObjectBucketClaim.class)
                        .inNamespace(cluster.namespace())
                        .withName(name)
                        .get()
                : client.resources(ObjectBucket.class).withName(name).get();
        read.getMetadata().setAnnotations(Map.of("touched", "yes"));
        HasMetadata updated = client.resource(read).update();

        JsonNode after = Samples.tree(updated);
        assertThat(after.at("/metadata/annotations/touched").asText()).isEqualTo("yes");
        assertThat(after.get("spec")).isEqualTo(before.get("spec"));
        assertThat(after.get("status")).isEqualTo(before.get("status"));
    }

    private static JsonNode store(String sample, TestCluster cluster) {
        var object = Serialization.unmarshal(Samples.yaml(sample), GenericKubernetesResource.class);
        if (object.getMetadata().getNamespace() != null) {
            object.getMetadata().setNamespace(cluster.namespace());
        } else {
            object.getMetadata().setName(object.getMetadata().getName() + "-" + cluster.namespace());
        }
        // A finalizer would outlive the test.
        object.getMetadata().setFinalizers(null);
        GenericKubernetesResource created = cluster.admin().resource(object).create();
        if (object.getAdditionalProperties().containsKey("status")) {
            object.getMetadata().setResourceVersion(created.getMetadata().getResourceVersion());
            cluster.admin().resource(object).updateStatus();
        }
        return Samples.tree(cluster.admin().resource(object).get());
    }
}
