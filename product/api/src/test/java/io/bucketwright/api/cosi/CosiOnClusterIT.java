package io.bucketwright.api.cosi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@OnCluster
class CosiOnClusterIT {
    private static final String ACCESS = """
            {bucketAccessRequestName: n, bucketAccessRequestNamespace: m, bucketAccessRequestUid: u, bucketName: b, bucketUid: w,
             bucketRequest: {namespace: n, name: m, uid: u}, applicationSecretName: t, provisioner: a/b, protocol: s3}""";

    @BeforeEach
    void install(TestCluster cluster) {
        cluster.install(Crds.cosi());
    }

    @Test
    void theDefinitionsAreEstablishedWithStructuralSchemas(TestCluster cluster) {
        assertThat(Crds.cosi())
                .allSatisfy(definition -> assertThat(cluster.admin()
                                .resource(definition)
                                .get()
                                .getStatus()
                                .getConditions())
                        .noneMatch(condition -> "NonStructuralSchema".equals(condition.getType()))
                        .anyMatch(condition ->
                                "NamesAccepted".equals(condition.getType()) && "True".equals(condition.getStatus())));
    }

    @Test
    void newObjectsHaveAPhaseWithoutAWrite(TestCluster cluster) {
        assertThat(request(cluster, "{protocol: s3}").status().phase()).isEqualTo("Creating");
        assertThat(accessRequest(cluster, "{bucketRequestName: r, bucketAccessClassName: c}")
                        .status()
                        .phase())
                .isEqualTo("Pending");
        assertThat(bucket(cluster, "{provisioner: a/b, protocol: {protocolSignature: s3}}")
                        .status()
                        .phase())
                .isEqualTo("Creating");
        assertThat(access(cluster).status().phase()).isEmpty();
    }

    @Test
    void aBucketIsRetainedAndPrivateByDefault(TestCluster cluster) {
        BucketSpec spec = bucket(cluster, "{provisioner: a/b, protocol: {protocolSignature: s3}}")
                .getSpec();
        assertThat(spec.releasePolicy()).isEqualTo("Retain");
        assertThat(spec.anonymousAccessMode()).isEqualTo("private");
        BucketClass bucketClass = bucketClass(cluster, "provisioner: a/b\nprotocol: s3");
        assertThat(bucketClass.getReleasePolicy()).isEqualTo("Retain");
        assertThat(bucketClass.getAnonymousAccessMode()).isEqualTo("private");
        assertThat(bucketClass.isDefaultBucketClass()).isFalse();
    }

    @Test
    void aUserCannotWriteTheStatus(TestCluster cluster) {
        BucketRequest created = create(cluster, BucketRequest.class, "spec: {protocol: s3}\nstatus: {phase: Bound}");
        assertThat(created.phase()).isEqualTo(BucketRequestPhase.CREATING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3", "gcs", "azureBlob", "azureblob"})
    void everySpellingOfAProtocolIsAccepted(String protocol, TestCluster cluster) {
        assertThat(request(cluster, "{protocol: " + protocol + "}").getSpec().wantedProtocol())
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{protocol: swift}",
                "{protocol: S3}",
                "{protocol: s3, bucketPrefix: Ünicode}",
                "{protocol: s3, bucketPrefix: -photos}",
                "{protocol: s3, bucketPrefix: twenty-eight-characters-long}",
                "{protocol: s3, secretName: '../up'}",
                "{protocol: s3, bucketClassName: 'Not a name'}",
                "{protocol: s3, bucketInstanceName: \"two\\nlines\"}",
                "{protocol: s3, colour: red}"
            })
    void anInvalidRequestIsRejected(String spec, TestCluster cluster) {
        assertThatThrownBy(() -> request(cluster, spec)).isInstanceOf(KubernetesClientException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{bucketRequestName: r} | bucketAccessClassName",
                "{bucketAccessClassName: c} | bucketRequestName or bucketInstance must be set",
                "{bucketAccessClassName: c, bucketInstance: ''} | bucketRequestName or bucketInstance must be set",
                "{bucketAccessClassName: c, bucketInstance: b, accessSecretName: a..b} | spec.accessSecretName in body should match",
                "{bucketAccessClassName: c, bucketInstance: b, serviceAccountName: s, accessSecretName: t} | serviceAccountName and accessSecretName cannot both be set",
                "{bucketAccessClassName: c, bucketInstance: b, protocol: swift} | spec.protocol",
            })
    void anInvalidAccessRequestIsRejected(String spec, String why, TestCluster cluster) {
        assertThatThrownBy(() -> accessRequest(cluster, spec))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{protocol: {protocolSignature: s3}}",
                "{provisioner: nonamespace, protocol: {protocolSignature: s3}}",
                "{provisioner: a/b/c, protocol: {protocolSignature: s3}}",
                "{provisioner: a/b}",
                "{provisioner: a/b, protocol: {protocolSignature: s3}, releasePolicy: Erase}",
                "{provisioner: a/b, protocol: {protocolSignature: s3}, anonymousAccessMode: everybody}",
                "{provisioner: a/b, protocol: {protocolSignature: s3}, permittedNamespaces: [{name: a}]}"
            })
    void anInvalidBucketIsRejected(String spec, TestCluster cluster) {
        assertThatThrownBy(() -> bucket(cluster, spec)).isInstanceOf(KubernetesClientException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"provisioner: nonamespace\nprotocol: s3", "provisioner: a/b", "protocol: s3"})
    void anInvalidClassIsRejected(String fields, TestCluster cluster) {
        assertThatThrownBy(() -> bucketClass(cluster, fields)).isInstanceOf(KubernetesClientException.class);
        assertThatThrownBy(() -> create(cluster, BucketAccessClass.class, fields))
                .isInstanceOf(KubernetesClientException.class);
    }

    @Test
    void fieldsOfARequestAreImmutableOnceSet(TestCluster cluster) {
        BucketRequest created =
                request(cluster, "{protocol: azureblob, bucketPrefix: p, bucketClassName: c, secretName: s}");
        patch(cluster, created, "{\"spec\": {\"bucketInstanceName\": \"b\"}}");
        patch(cluster, created, "{\"spec\": {\"protocol\": \"azureBlob\"}}");
        for (String field : List.of("bucketPrefix", "bucketClassName", "secretName", "bucketInstanceName")) {
            for (String value : List.of("\"x\"", "\"\"", "null")) {
                assertThatThrownBy(() -> patch(cluster, created, "{\"spec\": {\"" + field + "\": " + value + "}}"))
                        .hasMessageContaining(
                                field + " cannot be changed once it is set; create a new BucketRequest instead");
            }
        }
        assertThatThrownBy(() -> patch(cluster, created, "{\"spec\": {\"protocol\": \"s3\"}}"))
                .hasMessageContaining("protocol cannot be changed");
    }

    @Test
    void fieldsOfAnAccessRequestAreImmutableOnceSet(TestCluster cluster) {
        BucketAccessRequest created = accessRequest(
                cluster,
                "{accessSecretName: s, bucketInstance: b, bucketRequestName: r, protocol: s3, bucketAccessClassName: c}");
        patch(cluster, created, "{\"spec\": {\"bucketAccessName\": \"a\"}}");
        for (String field : List.of(
                "accessSecretName",
                "bucketInstance",
                "bucketRequestName",
                "protocol",
                "bucketAccessClassName",
                "bucketAccessName")) {
            assertThatThrownBy(() -> patch(cluster, created, "{\"spec\": {\"" + field + "\": \"gcs\"}}"))
                    .hasMessageContaining(field + " cannot be changed");
        }
    }

    @Test
    void theIdentityOfABucketIsImmutable(TestCluster cluster) {
        Bucket created = bucket(
                cluster,
                "{provisioner: a/b, parameters: {k: v}, protocol: {protocolSignature: s3, s3: {bucketName: n}},"
                        + " bucketRequest: {namespace: n, name: m, uid: u}}");
        patch(cluster, created, "{\"spec\": {\"protocol\": {\"s3\": {\"endpoint\": \"http://s3\"}}}}");
        patch(cluster, created, "{\"spec\": {\"releasePolicy\": \"Delete\", \"bindings\": [\"a:b/c\"]}}");
        for (String change : List.of(
                "\"provisioner\": \"c/d\"",
                "\"parameters\": {\"k\": \"w\"}",
                "\"parameters\": null",
                "\"bucketRequest\": null",
                "\"bucketRequest\": {\"uid\": \"x\"}",
                "\"protocol\": {\"protocolSignature\": \"gcs\"}",
                "\"protocol\": {\"s3\": {\"bucketName\": \"other\"}}")) {
            assertThatThrownBy(() -> patch(cluster, created, "{\"spec\": {" + change + "}}"))
                    .as(change)
                    .hasMessageContaining("cannot be changed");
        }
        Bucket administrators = bucket(cluster, "{provisioner: a/b, protocol: {protocolSignature: s3}}");
        assertThatThrownBy(() -> patch(
                        cluster,
                        administrators,
                        "{\"spec\": {\"bucketRequest\": {\"namespace\": \"n\", \"name\": \"m\", \"uid\": \"u\"}}}"))
                .hasMessageContaining("bucketRequest cannot be changed");
    }

    @Test
    void theSpecOfAnAccessIsImmutable(TestCluster cluster) {
        BucketAccess created = access(cluster);
        assertThatThrownBy(() -> patch(cluster, created, "{\"spec\": {\"bucketName\": \"other\"}}"))
                .hasMessageContaining("a BucketAccess cannot be changed");
        patch(cluster, created, "{\"metadata\": {\"annotations\": {\"cosi.io/provisioner-report\": \"m\"}}}");
    }

    @Test
    void copiedFieldsOfAClassAreImmutable(TestCluster cluster) {
        BucketClass created =
                bucketClass(cluster, "provisioner: a/b\nprotocol: s3\nisDefaultBucketClass: true\nparameters: {k: v}");
        patch(cluster, created, "{\"isDefaultBucketClass\": false, \"releasePolicy\": \"Delete\"}");
        for (String change :
                List.of("\"provisioner\": \"c/d\"", "\"protocol\": \"gcs\"", "\"parameters\": {\"k\": \"w\"}")) {
            assertThatThrownBy(() -> patch(cluster, created, "{" + change + "}"))
                    .hasMessageContaining("cannot be changed; create a new BucketClass instead");
        }
        BucketAccessClass access = create(
                cluster, BucketAccessClass.class, "provisioner: a/b\nprotocol: s3\npolicyActions: {allow: ['*']}");
        assertThatThrownBy(() -> patch(cluster, access, "{\"policyActions\": {\"deny\": [\"x\"]}}"))
                .hasMessageContaining("policyActions cannot be changed");
    }

    private static BucketRequest request(TestCluster cluster, String spec) {
        return create(cluster, BucketRequest.class, "spec: " + spec);
    }

    private static BucketAccessRequest accessRequest(TestCluster cluster, String spec) {
        return create(cluster, BucketAccessRequest.class, "spec: " + spec);
    }

    private static Bucket bucket(TestCluster cluster, String spec) {
        return create(cluster, Bucket.class, "spec: " + spec);
    }

    private static BucketAccess access(TestCluster cluster) {
        return create(cluster, BucketAccess.class, "spec: " + ACCESS);
    }

    private static BucketClass bucketClass(TestCluster cluster, String fields) {
        return create(cluster, BucketClass.class, fields);
    }

    /** Creates an object from text, so that the API server validates exactly that text. */
    private static <T extends HasMetadata> T create(TestCluster cluster, Class<T> kind, String content) {
        String prefix = cluster.namespace() + "-";
        String namespace = Namespaced.class.isAssignableFrom(kind) ? "  namespace: " + cluster.namespace() + "\n" : "";
        String yaml = "apiVersion: cosi.io/v1alpha1\nkind: " + kind.getSimpleName() + "\nmetadata:\n  generateName: "
                + prefix + "\n" + namespace + content.indent(0);
        var generic = Serialization.unmarshal(yaml, GenericKubernetesResource.class);
        var created = cluster.admin()
                .resource(generic)
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .create();
        return Serialization.unmarshal(Serialization.asJson(created), kind);
    }

    private static void patch(TestCluster cluster, HasMetadata object, String mergePatch) {
        cluster.admin().resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch);
    }
}
