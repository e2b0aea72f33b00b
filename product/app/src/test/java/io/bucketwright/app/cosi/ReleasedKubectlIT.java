package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kubectl prints about objects of the released API. */
@OnCluster
class ReleasedKubectlIT {

    private static final String OBJECTS = """
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketClass, metadata: {name: NS},
             driverName: s3.example.com, deletionPolicy: POLICY}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketAccessClass, metadata: {name: NS},
             driverName: s3.example.com, authenticationType: AUTHENTICATION}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: Bucket, metadata: {name: NS},
             spec: {driverName: s3.example.com, bucketClassName: NS, protocols: [], bucketClaim: {name: photos}}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketClaim, metadata: {name: photos, namespace: NS},
             spec: {bucketClassName: NS, protocols: [PROTOCOL]}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketAccess, metadata: {name: reader, namespace: NS},
             spec: {bucketClaimName: photos, bucketAccessClassName: NS, credentialsSecretName: keys, protocol: PROTOCOL}}
            """;

    @TempDir
    private Path folder;

    private TestCluster cluster;

    @BeforeEach
    void install(TestCluster testCluster) {
        cluster = testCluster;
        cluster.install(Crds.released());
    }

    @Test
    void getShowsWhetherSomethingIsReadyAndWhatItBelongsTo() {
        apply("Retain", "Key", "S3");
        String namespace = cluster.namespace();
        status("bucketclaim.objectstorage.k8s.io/photos", "{\"bucketReady\": true, \"bucketName\": \"bucket-1\"}");
        status("bucket.objectstorage.k8s.io/" + namespace, "{\"bucketReady\": false, \"bucketID\": \"id-1\"}");
        status("bucketaccess.objectstorage.k8s.io/reader", "{\"accessGranted\": true, \"accountID\": \"ba-1\"}");
        assertThat(table("bclaim", "photos"))
                .startsWith("NAME READY BUCKET CLASS AGE photos true bucket-1 " + namespace);
        assertThat(table("bkt", namespace))
                .startsWith("NAME READY DRIVER CLAIM-NAMESPACE CLAIM POLICY AGE " + namespace
                        + " false s3.example.com photos Retain");
        assertThat(table("baccess", "reader"))
                .startsWith(
                        "NAME GRANTED CLAIM CLASS SECRET ACCOUNT AGE reader true photos " + namespace + " keys ba-1");
        assertThat(table("bclass", namespace))
                .startsWith("NAME DRIVER POLICY AGE " + namespace + " s3.example.com Retain");
        assertThat(table("baclass", namespace))
                .startsWith("NAME DRIVER AUTHENTICATION AGE " + namespace + " s3.example.com Key");
        assertThat(cluster.kubectl("get", "cosi")).contains("bucketclaim.objectstorage.k8s.io/photos", "reader");
    }

    @Test
    void valuesWithoutEffectAreAdmittedWithAWarning() throws IOException {
        String policies = Files.readString(Path.of("../../deploy/cosi-released-rbac.yaml"));
        Path file = Files.writeString(
                folder.resolve("policies.yaml"),
                String.join(
                        "\n---\n",
                        Stream.of(policies.split("(?m)^---$"))
                                .filter(document -> document.contains("ValidatingAdmissionPolicy"))
                                .toList()));
        cluster.kubectl("apply", "--namespace=", "--filename=" + file);
        List<String> warnings = List.of(
                "deletionPolicy \"delete\" is neither Retain nor Delete",
                "authenticationType \"key\" is neither Key nor IAM",
                "protocol \"s3\" is none of S3, Azure and GCP");
        Eventually.await("the warnings").until(() -> {
            String printed = apply("delete", "key", "s3");
            return warnings.stream().allMatch(printed::contains);
        });
        assertThat(apply("delete", "key", "s3"))
                .contains("bucketclass.objectstorage.k8s.io/" + cluster.namespace())
                .doesNotContain("Error");
        assertThat(apply("Delete", "IAM", "Azure")).doesNotContain("Warning");
    }

    /** As words with one space between them. */
    private String table(String kind, String name) {
        return cluster.kubectl("get", kind, name).replaceAll("\\s+", " ");
    }

    private void status(String object, String status) {
        assertThat(cluster.kubectl(
                        "patch",
                        object,
                        "--subresource=status",
                        "--type=merge",
                        "--patch={\"status\": " + status + "}"))
                .contains("patched");
    }

    private String apply(String policy, String authentication, String protocol) {
        String yaml = OBJECTS.replace("NS", cluster.namespace())
                .replace("POLICY", policy)
                .replace("AUTHENTICATION", authentication)
                .replace("PROTOCOL", protocol);
        // kubectl sends nothing for an object without a change.
        String marked = yaml.replace("metadata: {", "metadata: {labels: {at: t" + System.nanoTime() + "}, ");
        try {
            Path file = Files.writeString(folder.resolve("objects.yaml"), marked);
            return cluster.kubectl("apply", "--namespace=", "--filename=" + file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
