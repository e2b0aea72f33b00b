package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.runtime.objects.Metadata;
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
        cluster.install(Crds.objectBuckets());
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
        shell.succeeds("describe", "photos")
                .contains(
                        "BucketClaim (objectstorage.k8s.io/v1alpha1)",
                        "FailedCreateBucket: The claim has neither bucketClassName nor existingBucketName",
                        "viewer not granted");
        shell.succeeds("describe", "viewer").contains("WaitingForBucket: BucketClaim photos is not ready");
        shell.succeeds("list").containsPattern("photos +BucketClaim +- +- +Pending +FailedCreateBucket");
        shell.succeeds("list", "-o", "json")
                .contains("\"kind\" : \"BucketClaim\"", "\"message\" : \"The claim has neither bucketClassName");
        assertThat(shell.run("describe", "bucketaccess/photos")).isNotZero();
        shell.succeeds("describe", "bucketclaim/photos");

        shell.fails("rotate", "bucketaccess/photos")
                .startsWith("BucketAccess " + cluster.namespace() + "/photos does not exist.")
                .hasLineCount(1);
        shell.fails("rotate", "bucketaccess/viewer")
                .contains("has no credentials to rotate: it is not granted.")
                .hasLineCount(1);
        cluster.editStatus(viewer(cluster), access -> access.setStatus(new ReleasedAccessStatus("ba-1", true)));
        shell.succeeds("rotate", "bucketaccess/viewer")
                .contains(Metadata.annotation(viewer(cluster), CosiNames.ROTATE_AT));
        shell.fails("rotate", "bucketaccess/viewer", "--wait", "--timeout", "1s")
                .contains("Only Bucketwright's sidecar rotates credentials.");
    }

    private static ReleasedBucketAccess viewer(TestCluster cluster) {
        return cluster.admin()
                .resources(ReleasedBucketAccess.class)
                .inNamespace(cluster.namespace())
                .withName("viewer")
                .get();
    }

    private static void create(TestCluster cluster, String yaml) {
        GenericKubernetesResource object = Serialization.unmarshal(
                new ByteArrayInputStream(
                        ("apiVersion: objectstorage.k8s.io/v1alpha1\n" + yaml).getBytes(StandardCharsets.UTF_8)),
                GenericKubernetesResource.class);
        cluster.admin().resource(object).inNamespace(cluster.namespace()).create();
    }
}
