package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.StubApiServer;
import io.bucketwright.app.claim.ClaimShell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bucketwright cosi export-released} with an API server that answers as the test says. */
class ExportReleasedCommandTest {

    private static final String GROUP = "GET /apis/cosi.io/v1alpha1/";

    @AutoClose
    private final StubApiServer server = new StubApiServer();

    private ClaimShell shell;

    @BeforeEach
    void prepare(@TempDir Path folder) throws IOException {
        shell = new ClaimShell(server.kubeconfig(folder));
    }

    @Test
    void theManifestsArePrinted() {
        for (String kind :
                List.of("bucketclasses", "bucketaccessclasses", "buckets", "bucketrequests", "bucketaccessrequests")) {
            server.answer(GROUP + kind, 200, list(""));
        }
        server.answer(GROUP + "bucketclasses", 200, list("""
                {"metadata": {"name": "photos"}, "provisioner": "store/s3.test", "protocol": "s3"}"""));
        assertThat(run()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("kind: \"BucketClass\"", "driverName: \"s3.test\"");
    }

    @Test
    void aClusterWithoutCosiIsOneSentence() {
        assertThat(run()).isEqualTo(1);
        assertThat(shell.err()).isEqualTo("The CustomResourceDefinitions of COSI are not installed in this cluster.\n");
    }

    private int run() {
        return shell.run(new ExportReleasedCommand());
    }

    private static String list(String item) {
        return "{\"kind\": \"List\", \"apiVersion\": \"cosi.io/v1alpha1\", \"metadata\": {}, \"items\": [%s]}"
                .formatted(item);
    }
}
