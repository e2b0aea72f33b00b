package io.bucketwright.api.cosi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.cosi.BucketProtocol.AzureContainer;
import io.bucketwright.api.cosi.BucketProtocol.GcsBucket;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CosiTypesTest {
    @Test
    void bothSpellingsOfAProtocolAreReadAndOneIsStored() {
        assertThat(Protocol.of("azureblob")).contains(Protocol.AZURE_BLOB);
        assertThat(Protocol.of("azureBlob")).contains(Protocol.AZURE_BLOB);
        assertThat(Protocol.AZURE_BLOB.text()).isEqualTo("azureBlob");
        assertThat(Protocol.of("swift")).isEmpty();
    }

    @Test
    void bothSpellingsOfAnAccessModeAreReadAndOneIsStored() {
        assertThat(AnonymousAccessMode.of("publicRead")).contains(AnonymousAccessMode.READ_ONLY);
        assertThat(AnonymousAccessMode.of("ro")).contains(AnonymousAccessMode.READ_ONLY);
        assertThat(AnonymousAccessMode.of("publicReadWrite")).contains(AnonymousAccessMode.READ_WRITE);
        assertThat(AnonymousAccessMode.of("wo")).contains(AnonymousAccessMode.WRITE_ONLY);
        assertThat(AnonymousAccessMode.of("everybody")).isEmpty();
    }

    @Test
    void anUnknownReleasePolicyIsRetain() {
        assertThat(ReleasePolicy.of("Delete")).isEqualTo(ReleasePolicy.DELETE);
        assertThat(List.of("delete", "", "Retain", "Erase"))
                .allSatisfy(word -> assertThat(ReleasePolicy.of(word)).isEqualTo(ReleasePolicy.RETAIN));
    }

    @Test
    void aProvisionerIsANamespaceAndAName() {
        Provisioner ceph = Provisioner.of("ceph-rgw/ceph-rgw.cosi.ceph.com").orElseThrow();
        assertThat(ceph.namespace()).isEqualTo("ceph-rgw");
        assertThat(ceph.name()).isEqualTo("ceph-rgw.cosi.ceph.com");
        assertThat(ceph).hasToString("ceph-rgw/ceph-rgw.cosi.ceph.com");
        assertThat(List.of("", "/", "a/", "/b", "a/b/c", "A/b", "a/-b", "a.b/c", "a/" + "b".repeat(254)))
                .allSatisfy(text -> assertThat(Provisioner.of(text)).isEmpty());
        assertThatThrownBy(() -> new Provisioner("a", "b/c")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLabelOfAProvisionerIsValid() {
        assertThat(new Provisioner("store", "s3.example.com").label()).isEqualTo("store-s3.example.com");
        String cut = new Provisioner("n".repeat(60), "a-.-b").label();
        assertThat(cut).isEqualTo("n".repeat(60) + "-a");
    }

    @Test
    void aBucketIsProvisionedWhenTheSidecarHasSetItsAddress() {
        for (Protocol protocol : Protocol.values()) {
            BucketProtocol named = BucketProtocol.named(protocol, "photos");
            assertThat(named.protocol()).contains(protocol);
            assertThat(named.bucketName()).isEqualTo("photos");
            assertThat(named.hasAddress()).isFalse();
        }
        assertThat(new BucketProtocol("s3", null, new S3Bucket("http://s3", "photos", "", ""), null).hasAddress())
                .isTrue();
        assertThat(new BucketProtocol("azureblob", new AzureContainer("photos", "account"), null, null).hasAddress())
                .isTrue();
        assertThat(new BucketProtocol("gcs", null, null, new GcsBucket("photos", "", "project", "")).hasAddress())
                .isTrue();
    }

    @Test
    void absentFieldsAreEmptyAndNotWritten() {
        BucketRequest request = Serialization.unmarshal("spec: {protocol: s3}", BucketRequest.class);
        assertThat(request.getSpec().bucketClassName()).isEmpty();
        assertThat(request.phase()).isEqualTo(BucketRequestPhase.CREATING);
        assertThat(Serialization.asJson(request.getSpec())).isEqualTo("{\"protocol\":\"s3\"}");

        BucketAccess access = Serialization.unmarshal("spec: {bucketName: b}", BucketAccess.class);
        assertThat(access.phase()).isEmpty();
        assertThat(access.getSpec().policyActions().allow()).isEmpty();
    }

    @Test
    void aClassIsReadAndWrittenAtTheTopLevel() {
        BucketClass bucketClass = Serialization.unmarshal("""
                provisioner: store/s3.example.com
                isDefaultBucketClass: true
                protocol: s3
                releasePolicy: Delete
                parameters: {region: there}
                additionalPermittedNamespaces: [{name: a, uid: b}]
                """, BucketClass.class);
        assertThat(bucketClass.isDefaultBucketClass()).isTrue();
        assertThat(bucketClass.offeredProtocol()).contains(Protocol.S3);
        assertThat(bucketClass.getParameters()).isEqualTo(Map.of("region", "there"));
        assertThat(bucketClass.getAdditionalPermittedNamespaces()).containsExactly(new PermittedNamespace("a", "b"));
        assertThat(Serialization.asJson(bucketClass))
                .contains("\"isDefaultBucketClass\":true")
                .doesNotContain("\"spec\"")
                .doesNotContain("anonymousAccessMode");
    }

    @Test
    void specsAreReadBackAsWritten() {
        assertRoundTrip(BucketSpec.class, """
                # YAML
                {provisioner: a/b, releasePolicy: Delete, anonymousAccessMode: ro, bucketClassName: c, bindings: ["x:y/z"],
                 permittedNamespaces: [{name: n, uid: u}], protocol: {protocolSignature: s3}, parameters: {k: v},
                 bucketRequest: {namespace: n, name: m, uid: u}}""");
        BucketAccessSpec access = assertRoundTrip(BucketAccessSpec.class, """
                # YAML
                {bucketAccessRequestName: n, bucketAccessRequestNamespace: m, bucketAccessRequestUid: u, serviceAccountName: s,
                 bucketRequest: {namespace: n, name: m, uid: u}, accessSecretName: a, applicationSecretName: t, bucketName: b,
                 bucketUid: w, provisioner: a/b, protocol: s3, policyActions: {allow: ["*"], deny: [x]}, parameters: {k: v}}""");
        assertThat(access.policyActions().deny()).containsExactly("x");
    }

    private static <S extends Record> S assertRoundTrip(Class<S> type, String yaml) {
        S spec = Serialization.unmarshal(yaml, type);
        assertThat(Serialization.unmarshal(Serialization.asJson(spec), type)).isEqualTo(spec);
        return spec;
    }
}
