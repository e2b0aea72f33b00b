package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What the command says about claims of released kinds; no controller runs. */
@OnCluster
class ReleasedClaimIT {

    @Test
    void aClaimAndAnAccessAreDescribedWithTheReasonWhyTheyAreNotReady(TestCluster cluster) {
        cluster.install(Crds.all());
        cluster.install(Crds.released());
        ClaimShell shell = new ClaimShell(cluster.local().kubeconfig(), "--namespace=" + cluster.namespace());
        create(cluster, """
                kind: BucketClaim
                metadata: {name: photos}
                spec: {protocols: [S3]}
                """);
        create(cluster, """
                kind: BucketAccess
                metadata: {name: viewer}
                spec: {bucketClaimName: photos, bucketAccessClassName: any, credentialsSecretName: viewer}
                """);
        assertThat(shell.run("describe", "photos")).isZero();
        assertThat(shell.out())
                .contains(
                        "BucketClaim (objectstorage.k8s.io/v1alpha1)",
                        "FailedCreateBucket: The claim has neither bucketClassName nor existingBucketName",
                        "viewer not granted");
        assertThat(shell.run("describe", "viewer")).isZero();
        assertThat(shell.out()).contains("WaitingForBucket: BucketClaim photos is not ready");
        assertThat(shell.run("list")).isZero();
        assertThat(shell.out()).containsPattern("photos +BucketClaim +- +- +Pending +FailedCreateBucket");
        assertThat(shell.run("list", "-o", "json")).isZero();
        assertThat(shell.out())
                .contains("\"kind\" : \"BucketClaim\"", "\"message\" : \"The claim has neither bucketClassName");
        assertThat(shell.run("describe", "bucketaccess/photos")).isNotZero();
        assertThat(shell.run("describe", "bucketclaim/photos")).isZero();
    }

    private static void create(TestCluster cluster, String yaml) {
        GenericKubernetesResource object = Serialization.unmarshal(
                new ByteArrayInputStream(
                        ("apiVersion: objectstorage.k8s.io/v1alpha1\n" + yaml).getBytes(StandardCharsets.UTF_8)),
                GenericKubernetesResource.class);
        cluster.admin().resource(object).inNamespace(cluster.namespace()).create();
    }
}
