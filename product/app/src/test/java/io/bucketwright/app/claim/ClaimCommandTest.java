package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of {@code bucketwright claim}, without a cluster. */
class ClaimCommandTest {

    @TempDir
    private Path temporary;

    private ClaimShell shell = new ClaimShell(Path.of("none"));

    @BeforeEach
    void nobodyAnswers() throws IOException {
        Path kubeconfig = Files.writeString(temporary.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u, namespace: web}}]
            current-context: x
            """);
        shell = new ClaimShell(kubeconfig);
    }

    @Test
    void aDryRunPrintsYamlThatCanBeAppliedAndAsksNobody() {
        shell.succeeds(
                "create",
                "photos",
                "--class",
                "buckets",
                "--generate-name",
                "photo",
                "--option",
                "maxSize=10G",
                "-o",
                "yaml");
        ObjectBucketClaim claim = Serialization.unmarshal(shell.out(), ObjectBucketClaim.class);
        assertThat(claim.getMetadata().getName()).isEqualTo("photos");
        assertThat(claim.getMetadata().getNamespace()).as("the context's").isEqualTo("web");
        assertThat(claim.getSpec().storageClass()).contains("buckets");
        assertThat(claim.getSpec().bucketPrefix()).contains("photo");
        assertThat(claim.getSpec().options()).isEqualTo(Map.of("maxSize", "10G"));
        assertThat(shell.out()).doesNotContain("status", "null");
    }
}
