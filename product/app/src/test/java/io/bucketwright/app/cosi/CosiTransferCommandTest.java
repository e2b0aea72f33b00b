package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.StubApiServer;
import io.bucketwright.app.claim.ClaimShell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code bucketwright cosi transfer} with an API server that answers as the test says. */
class CosiTransferCommandTest {

    private static final String BUCKETS = "/apis/cosi.io/v1alpha1/buckets";
    private static final String FORBIDDEN = """
            {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403, "reason": "Forbidden",
             "message": "buckets.cosi.io \\"first\\" is forbidden"}""";

    @AutoClose
    private final StubApiServer server = new StubApiServer();

    private ClaimShell shell;

    @BeforeEach
    void prepare(@TempDir Path folder) throws IOException {
        shell = new ClaimShell(server.kubeconfig(folder), "--provisioner=store/s3.test");
        server.answer("GET /api/v1/namespaces/kube-system", 200, namespace("kube-system", "this-cluster"));
        server.answer("GET /api/v1/namespaces/team", 200, namespace("team", "team-here"));
        server.answer("GET /apis/cosi.io/v1alpha1/bucketrequests", 200, list("BucketRequestList", List.of()));
        server.answer("GET " + BUCKETS, 200, list("BucketList", List.of(bucket("first"), bucket("second"))));
        server.answer("PATCH " + BUCKETS + "/first", 200, bucket("first"));
        server.answer("PATCH " + BUCKETS + "/second", 200, bucket("second"));
    }

    @Test
    void aRequestHasTheUidsOfTheNamespacesAndPermitsNoneOfThemItself() {
        assertThat(transfer("former-cluster", "first")).isZero();

        assertThat(shell.out()).isEqualTo("Bucket first: transfer from cluster former-cluster requested\n");
        assertThat(server.patches())
                .singleElement()
                .asString()
                .contains("\"cosi.io/transfer-from-cluster\":\"former-cluster\"")
                .contains("\"cosi.io/transfer-namespace-uids\":\"team-there=team-here\"")
                .contains("\"resourceVersion\":\"7\"")
                .doesNotContain("permittedNamespaces");
    }

    @Test
    void theIdOfThisClusterIsAUsageError() {
        assertThat(transfer("this-cluster")).isEqualTo(2);

        assertThat(shell.err()).startsWith("--from-cluster is the id of this cluster");
        assertThat(server.patches()).isEmpty();
    }

    @Test
    void aBucketThatCannotBeChangedIsReportedAndTheOthersAreTransferred() {
        server.answer("PATCH " + BUCKETS + "/first", 403, FORBIDDEN);

        assertThat(transfer("former-cluster")).isEqualTo(1);

        assertThat(shell.out()).isEqualTo("""
                Bucket first: not transferred: buckets.cosi.io "first" is forbidden
                Bucket second: transfer from cluster former-cluster requested
                """);
    }

    @Test
    void aClusterWithoutCosiIsOneSentence() {
        server.remove("GET /apis/cosi.io/v1alpha1/bucketrequests");

        assertThat(transfer("former-cluster")).isEqualTo(1);

        assertThat(shell.err()).isEqualTo("The CustomResourceDefinitions of COSI are not installed in this cluster.\n");
    }

    @Test
    void theHelpNamesThePermissions() {
        assertThat(new CommandLine(new CosiTransferCommand()).getUsageMessage().replaceAll("\\s+", " "))
                .contains(
                        "Requires permission to list BucketRequests of all namespaces, to read Namespaces, and to list"
                                + " and patch Buckets.");
    }

    private int transfer(String fromCluster, String... names) {
        return shell.run(
                new CosiTransferCommand(),
                Stream.concat(Stream.of("--from-cluster", fromCluster), Stream.of(names))
                        .toArray(String[]::new));
    }

    private static String namespace(String name, String uid) {
        return "{\"kind\": \"Namespace\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"%s\", \"uid\": \"%s\"}}"
                .formatted(name, uid);
    }

    private static String list(String kind, List<String> items) {
        return "{\"kind\": \"%s\", \"apiVersion\": \"cosi.io/v1alpha1\", \"metadata\": {}, \"items\": [%s]}"
                .formatted(kind, String.join(",", items));
    }

    private static String bucket(String name) {
        return """
                {"kind": "Bucket", "apiVersion": "cosi.io/v1alpha1",
                 "metadata": {"name": "%1$s", "uid": "%1$s-uid", "resourceVersion": "7"},
                 "spec": {"provisioner": "store/s3.test",
                          "permittedNamespaces": [{"name": "team", "uid": "team-there"}],
                          "bucketRequest": {"namespace": "team", "name": "%1$s", "uid": "request-there"}}}
                """.formatted(name);
    }
}
