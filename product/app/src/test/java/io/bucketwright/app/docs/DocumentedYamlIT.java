package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.app.ClaimingPod;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Every YAML that the pages for users and the examples have is accepted by a real API server: valid, and with no unknown
 * field. A dry run runs validation and admission like a write, and changes nothing for other tests.
 */
@OnCluster
class DocumentedYamlIT {

    @Test
    void everyBlockCanBeApplied(TestCluster cluster) throws IOException {
        Crds.objectBuckets().forEach(crd -> cluster.admin().resource(crd).serverSideApply());
        Crds.cosi().forEach(crd -> cluster.admin().resource(crd).serverSideApply());
        Crds.released().forEach(crd -> cluster.admin().resource(crd).serverSideApply());
        ClaimingPod.awaitServiceAccount(cluster);
        List<YamlBlock> blocks =
                YamlBlock.all().stream().filter(block -> !block.fragment()).toList();
        assertThat(blocks).hasSizeGreaterThan(40);
        List<String> refused = new ArrayList<>();
        for (YamlBlock block : blocks) {
            refusal(cluster, block).ifPresent(reason -> refused.add(block + ": " + reason));
        }
        assertThat(refused)
                .as("YAML that a user cannot apply. Fix it, or write <!-- fragment --> on the line before it")
                .isEmpty();
    }

    @Test
    void whatAUserCannotApplyIsFound(TestCluster cluster) {
        ClaimingPod.awaitServiceAccount(cluster);
        String valid = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: theirs}\ndata: {a: b}\n";
        assertThat(refusal(cluster, block(valid))).isEmpty();
        assertThat(refusal(cluster, block(valid + "---\n" + valid.replace("\ndata: {", "\ndates: {"))))
                .hasValueSatisfying(reason -> assertThat(reason).contains("ConfigMap a", "dates"));
        assertThat(refusal(cluster, block(valid.replace("name: a", "name: A"))))
                .hasValueSatisfying(reason -> assertThat(reason).contains("metadata.name"));
        assertThat(refusal(cluster, block(valid.replace("ConfigMap", "ConfigMop"))))
                .hasValueSatisfying(reason -> assertThat(reason).contains("ConfigMop"));
        assertThat(refusal(cluster, block("replicas: 2\n"))).isPresent();
    }

    @Test
    void blocksOfAPageAreFoundWithTheirLine() {
        Path page = Path.of("docs/page.md");
        assertThat(YamlBlock.in(page, """
                        a
                        ```yaml
                        x: 1
                        ```
                        <!-- fragment -->
                        ```yaml
                        y: 2
                        ```
                          ```yaml
                          z: 3
                          ```

                            apiVersion: v1
                            a:
                              b: c

                        d
                             apiVersion: v2
                             e: f
                             EOF
                             g
                        """))
                .containsExactly(
                        new YamlBlock(page, 3, "x: 1\n", false),
                        new YamlBlock(page, 7, "y: 2\n", true),
                        new YamlBlock(page, 10, "z: 3\n", false),
                        new YamlBlock(page, 13, "apiVersion: v1\na:\n  b: c\n", false),
                        new YamlBlock(page, 18, "apiVersion: v2\ne: f\n", false));
    }

    private static YamlBlock block(String text) {
        return new YamlBlock(Path.of("docs/page.md"), 1, text, false);
    }

    /** Why the API server refuses the block. */
    private static Optional<String> refusal(TestCluster cluster, YamlBlock block) {
        KubernetesClient admin = cluster.admin();
        List<HasMetadata> objects;
        try {
            objects = admin.load(new ByteArrayInputStream(block.text().getBytes(StandardCharsets.UTF_8)))
                    .items();
        } catch (RuntimeException e) {
            return Optional.of("not objects of Kubernetes: " + e.getMessage());
        }
        for (HasMetadata object : objects) {
            if (object.getMetadata() == null || object.getMetadata().getName() == null) {
                return Optional.of("an object without a name");
            }
            String name = object.getKind() + " " + object.getMetadata().getName();
            try {
                relocate(cluster, object);
                HasMetadata _ = admin.resource(object)
                        .dryRun()
                        .fieldValidation(FieldValidateable.Validation.STRICT)
                        .forceConflicts()
                        .serverSideApply();
            } catch (KubernetesClientException e) {
                return Optional.of(name + ": " + e.getMessage());
            }
        }
        return objects.isEmpty() ? Optional.of("no object") : Optional.empty();
    }

    /** Into the namespace of this test, or to a name of its own: other tests have objects of these names. */
    private static void relocate(TestCluster cluster, HasMetadata object) {
        APIResourceList known = cluster.admin().getApiResources(object.getApiVersion());
        APIResource kind = Optional.ofNullable(known).stream()
                .flatMap(list -> list.getResources().stream())
                .filter(resource -> resource.getKind().equals(object.getKind()))
                .findFirst()
                .orElseThrow(() -> new KubernetesClientException("the API server does not serve this kind"));
        if (kind.getNamespaced()) {
            object.getMetadata().setNamespace(cluster.namespace());
        } else if (object.getMetadata().getName().matches("[a-z0-9.-]+")) {
            object.getMetadata().setName(object.getMetadata().getName() + "-" + cluster.namespace());
        }
    }
}
