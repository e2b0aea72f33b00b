package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.StubApiServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which APIs {@code bucketwright bucket list} must be able to read. */
class BucketListTest {

    private static final String EMPTY = "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": []}";

    @TempDir
    private Path temporary;

    private static StubApiServer server() {
        StubApiServer server = new StubApiServer();
        server.answer(
                "GET /apis/storage.k8s.io/v1/storageclasses/fast",
                200,
                "{\"kind\": \"StorageClass\", \"apiVersion\": \"storage.k8s.io/v1\", \"metadata\": {\"name\": \"fast\","
                        + " \"uid\": \"u\"}, \"provisioner\": \"p\", \"reclaimPolicy\": \"Delete\"}");
        server.answer(
                "GET /api/v1/namespaces/kube-system",
                200,
                "{\"kind\": \"Namespace\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"kube-system\", \"uid\": \"c\"}}");
        server.answer("GET /apis/objectbucket.io/v1alpha1/objectbucketclaims", 200, EMPTY);
        server.answer("GET /apis/objectbucket.io/v1alpha1/objectbuckets", 200, EMPTY);
        return server;
    }

    private String list(StubApiServer server) throws IOException {
        ClaimShell shell = new ClaimShell(server.kubeconfig(temporary));
        int code = shell.run(new BucketCommand(), "list", "--class=fast", "--store=none");
        return code + " " + shell.err();
    }

    private static String group(String name, String version) {
        return "{\"kind\": \"APIGroup\", \"apiVersion\": \"v1\", \"name\": \"" + name + "\", \"versions\":"
                + " [{\"groupVersion\": \"" + name + "/" + version + "\", \"version\": \"" + version + "\"}]}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"objectstorage.k8s.io", "cosi.io"})
    void anApiWhoseOnlyVersionIsNotKnownIsAnError(String api) throws IOException {
        try (StubApiServer server = server()) {
            server.answer("GET /apis/" + api, 200, group(api, "v9"));
            assertThat(list(server)).startsWith("1 ").contains(api + " only in version v9");
        }
    }

    @Test
    void anApiThatIsNotInstalledHasNoUsers() throws IOException {
        try (StubApiServer server = server()) {
            assertThat(list(server)).doesNotContain("only in version");
        }
    }
}
