package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.StubApiServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bucketwright claim transfer} with an API server that answers as the test says. */
class TransferCommandTest {

    private static final String CLAIMS = "/apis/objectbucket.io/v1alpha1/namespaces/web/objectbucketclaims";

    @AutoClose
    private final StubApiServer server = new StubApiServer();

    private ClaimShell shell = new ClaimShell(Path.of("none"));

    @BeforeEach
    void prepare(@TempDir Path folder) throws IOException {
        shell = new ClaimShell(server.kubeconfig(folder), "--namespace=web", "--class=buckets", "--store=none");
        server.answer("GET /api/v1/namespaces/kube-system", 200, """
                {"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "kube-system", "uid": "here"}}""");
        server.answer("GET /apis/storage.k8s.io/v1/storageclasses/buckets", 200, """
                {"kind": "StorageClass", "apiVersion": "storage.k8s.io/v1", "provisioner": "bucketwright.io/bucket",
                 "metadata": {"name": "buckets", "uid": "1-2-3"}}""");
        server.answer("GET " + CLAIMS, 200, """
                {"kind": "ObjectBucketClaimList", "apiVersion": "objectbucket.io/v1alpha1", "metadata": {}, "items": [
                 {"kind": "ObjectBucketClaim", "apiVersion": "objectbucket.io/v1alpha1",
                  "metadata": {"name": "photos", "namespace": "web", "uid": "4-5-6"},
                  "spec": {"storageClassName": "buckets", "bucketName": "photos"}}]}""");
    }

    @Test
    void aNameWithoutAWaitingClaimIsAnErrorBeforeAnythingIsDone() {
        shell.fails("transfer", "--from-cluster=there", "photos", "videos")
                .isEqualTo(
                        "Cannot transfer videos: no claim of StorageClass buckets in namespace web with this name waits"
                                + " for its bucket. Nothing was transferred.\n");
        assertThat(shell.out()).isEmpty();
    }

    /** A name lifts the guard for suspended claims: it must not do so in every namespace. */
    @Test
    void namesAreOfOneNamespace() {
        assertThat(shell.run("transfer", "--from-cluster=this", "-A", "photos")).isEqualTo(2);
        assertThat(shell.err()).startsWith("A name selects a claim of one namespace: use -n instead of -A");
    }
}
