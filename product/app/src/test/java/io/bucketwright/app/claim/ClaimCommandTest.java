package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    static Stream<List<String>> wrong() {
        return Stream.of(
                List.of(),
                List.of("lsit"),
                List.of("list", "-o", "xml"),
                List.of("describe"),
                List.of("create"),
                List.of("create", "photos", "--generate-name", "a", "--bucket", "b"),
                List.of("create", "photos", "--wait", "--timeout", "soon"),
                List.of("create", "photos", "--option", "novalue"),
                List.of("rotate", "one", "two"),
                List.of("adopt", "b", "--class", "c", "--claim", "d", "--yes"),
                List.of("adopt", "b", "--class", "c", "--claim", "d", "--from-cluster", "e"),
                List.of("adopt", "b", "--class", "c", "--claim", "d", "--from-cluster", "e", "--yes", "--orphaned"),
                List.of("transfer", "-A", "--class", "c", "--from-cluster", "e", "photos"),
                List.of("delete"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aWrongCommandLineIsExitCode2(List<String> arguments) {
        assertThat(shell.run(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).doesNotContain("\tat ");
    }

    @ParameterizedTest
    @MethodSource("all")
    void anUnreachableServerIsOneSentenceAndExitCode1(List<String> arguments) {
        shell.fails(arguments.toArray(String[]::new))
                .startsWith("The API server at https://127.0.0.1:1")
                .hasLineCount(1);
    }

    static Stream<List<String>> all() {
        return Stream.of(
                List.of("list"),
                List.of("describe", "photos"),
                List.of("create", "photos"),
                List.of("rotate", "photos"),
                List.of("delete", "photos"));
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
