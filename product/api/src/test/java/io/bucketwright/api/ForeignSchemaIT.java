package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.LocalCluster;
import io.bucketwright.testing.SmallClusters;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The types read and write what the CRDs of other controllers allow. */
class ForeignSchemaIT {
    @Test
    void onTheSchemaOfRookOnlyFieldsOfBucketwrightAreMissing() throws IOException {
        try (LocalCluster own = SmallClusters.builder(List.of()).start();
                KubernetesClient client = client(own)) {
            install("rook", client);

            pendingWithoutAStatusThenBound(client);
            ObjectBucket bucket = bucketWithIntentInItsState(client);
            assertThat(bucket.getSpec().claim().orElseThrow().getUid())
                    .isEqualTo("5b1f5a5e-3b2c-4b0e-8e1b-b3a6b9b5f3d2");

            bucket.setStatus(BucketStatus.of(Phase.PENDING, List.of(), 1));
            assertThat(client.resource(bucket).updateStatus().phase()).isEqualTo(Phase.PENDING);
        }
    }

    @Test
    void onTheSchemaOfNooBaaTheIntentNamesTheClaim() throws IOException {
        try (LocalCluster own = SmallClusters.builder(List.of()).start();
                KubernetesClient client = client(own)) {
            install("noobaa", client);

            pendingWithoutAStatusThenBound(client);
            ObjectBucket bucket = bucketWithIntentInItsState(client);
            assertThat(bucket.getSpec().claim().orElseThrow().getUid())
                    .as("this schema drops the content of the reference")
                    .isNull();

            bucket.setStatus(BucketStatus.of(Phase.PENDING, List.of(), 1));
            assertThatThrownBy(() -> client.resource(bucket).updateStatus())
                    .as("there is no such phase here: it is left absent, which means the same")
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("phase: Unsupported value");
        }
    }

    private static void install(String controller, KubernetesClient client) {
        for (String kind : List.of("objectbucketclaims", "objectbuckets")) {
            CustomResourceDefinition definition = Serialization.unmarshal(
                    Samples.resource("/schemas/" + controller + "/" + kind + ".yaml"), CustomResourceDefinition.class);
            client.resource(definition).serverSideApply();
            client.resource(definition).waitUntilCondition(ForeignSchemaIT::isEstablished, 1, TimeUnit.MINUTES);
        }
    }

    private static boolean isEstablished(CustomResourceDefinition definition) {
        return definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Established".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    private static void pendingWithoutAStatusThenBound(KubernetesClient client) {
        ObjectBucketClaim claim = Samples.claim("claim-of-the-design-documents");
        claim.setStatus(null);
        ObjectBucketClaim created = inDefault(client, claim);
        assertThat(created.getStatus()).isNull();
        assertThat(created.phase()).isEqualTo(Phase.PENDING);
        assertThat(created.getSpec().bucket()).contains("booth-x7k2p");
        assertThat(created.getSpec().objectBucket()).contains("obc-gallery-designed");
        assertThat(created.getSpec().secretRef())
                .as("the schema has no field for the intent")
                .isNull();

        Condition ready = new ConditionBuilder()
                .withType("Ready")
                .withStatus("True")
                .withReason("Bound")
                .build();
        created.setStatus(BucketStatus.of(Phase.BOUND, List.of(ready), 1));
        assertThat(client.resource(created).updateStatus().phase()).isEqualTo(Phase.BOUND);
    }

    private static ObjectBucket bucketWithIntentInItsState(KubernetesClient client) {
        ObjectBucket ours = Samples.bucket("bucket-of-ours");
        BucketIntent intent = ours.getSpec().recordedIntent().orElseThrow();
        ours.setStatus(null);
        ours.setSpec(ours.getSpec().with("reclaimPolicy", "Delete").with("additionalState", intent.toState()));
        ObjectBucket created = inDefault(client, ours);
        assertThat(created.getSpec().intent())
                .as("the schema has no field for the intent")
                .isNull();
        assertThat(created.getSpec().recordedIntent()).contains(intent);
        assertThat(created.getSpec().reachableAt().flatMap(BucketEndpoint::bucket))
                .contains("ours-k3v9q");
        assertThat(created.phase()).isEqualTo(Phase.PENDING);
        return created;
    }

    private static <T extends HasMetadata> T inDefault(KubernetesClient client, T object) {
        if (object.getMetadata().getNamespace() != null) {
            object.getMetadata().setNamespace("default");
        }
        return client.resource(object).create();
    }

    private static KubernetesClient client(LocalCluster cluster) throws IOException {
        Config config = Config.fromKubeconfig(Files.readString(cluster.kubeconfig()));
        // Loopback connections must not use the proxy of the machine.
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config)
                        .withHttpProxy(null)
                        .withHttpsProxy(null)
                        .build())
                .build();
    }
}
