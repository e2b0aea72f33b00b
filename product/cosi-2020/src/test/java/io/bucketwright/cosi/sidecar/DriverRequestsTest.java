package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.connection.SecretValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverRequestsTest {

    private final DriverRequests requests = new DriverRequests(() -> "cluster-uid");

    @Test
    void aBucketIsSentWithItsParametersItsIdsAndTheSecretOfTheClass() {
        Bucket bucket = SidecarSamples.bucket(spec -> Specs.with(
                spec,
                "anonymousAccessMode",
                "publicRead",
                "parameters",
                Map.of(
                        "colour", "blue",
                        "cosi.io/provisioner-secret-name", "admin",
                        "cosi.io/cluster", "forged",
                        "cosi.io/owner-uid", "forged")));
        CreateBucketRequest request =
                requests.create(CosiOrders.create(bucket, false, Map.of("key", SecretValue.of("value"))));
        assertThat(request.getBucketName()).isEqualTo("photos-1");
        assertThat(request.getAccessMode()).isEqualTo(AccessMode.RO);
        assertThat(request.getDriverParametersMap())
                .containsOnly(
                        Map.entry("colour", "blue"),
                        Map.entry("cosi.io/cluster", "cluster-uid"),
                        Map.entry("cosi.io/owner-uid", "request-uid"));
        assertThat(request.getSecretsMap()).containsOnly(Map.entry("key", "value"));
        assertThat(requests.delete(CosiOrders.delete(bucket, Map.of())).getDriverParametersMap())
                .isEqualTo(request.getDriverParametersMap());
    }

    @ParameterizedTest
    @CsvSource({"private, MODE_UNSPECIFIED", "publicRead, RO", "ro, RO", "wo, WO", "publicReadWrite, RW", "rw, RW"})
    void everySpellingOfAnonymousAccessIsSentAsItsMode(String spelling, AccessMode sent) {
        Bucket bucket = SidecarSamples.bucket(spec -> Specs.with(spec, "anonymousAccessMode", spelling));
        assertThat(requests.create(CosiOrders.create(bucket, false, Map.of())).getAccessMode())
                .isEqualTo(sent);
    }

    @Test
    void theFormerClusterIsSentWhileTheTransferIsRequestedAndNoClassCanForgeIt() {
        Bucket bucket = SidecarSamples.bucket(
                spec -> Specs.with(spec, "parameters", Map.of(ParameterKeys.FORMER_CLUSTER, "forged")));
        assertThat(requests.create(CosiOrders.create(bucket, false, Map.of())).getDriverParametersMap())
                .doesNotContainKey(ParameterKeys.FORMER_CLUSTER);
        bucket.getMetadata()
                .setAnnotations(Map.of(CosiNames.TRANSFERRED_FROM, "second", CosiNames.TRANSFER_FROM, "third"));
        assertThat(requests.create(CosiOrders.create(bucket, false, Map.of())).getDriverParametersMap())
                .containsEntry(ParameterKeys.FORMER_CLUSTER, "third");
        assertThat(requests.delete(CosiOrders.delete(bucket, Map.of())).getDriverParametersMap())
                .containsEntry(ParameterKeys.FORMER_CLUSTER, "third");
        assertThat(revoked(bucket)).containsEntry(ParameterKeys.FORMER_CLUSTER, "third");
    }

    @Test
    void theCheckBeforeATransferNamesThisClusterTwice() {
        Bucket bucket = SidecarSamples.bucket(spec -> spec);
        bucket.getMetadata().setAnnotations(Map.of(CosiNames.TRANSFER_FROM, "third"));
        assertThat(requests.create(CosiOrders.create(bucket, true, Map.of())).getDriverParametersMap())
                .containsEntry(ParameterKeys.FORMER_CLUSTER, "cluster-uid")
                .containsEntry(ParameterKeys.CLUSTER, "cluster-uid");
    }

    @Test
    void afterTheTransferOnlyTheAccountsOfTheFormerClusterEnd() {
        Bucket bucket = SidecarSamples.bucket(spec -> spec);
        bucket.getMetadata().setAnnotations(Map.of(CosiNames.TRANSFERRED_FROM, "second"));
        assertThat(requests.create(CosiOrders.create(bucket, false, Map.of())).getDriverParametersMap())
                .doesNotContainKey(ParameterKeys.FORMER_CLUSTER);
        assertThat(requests.delete(CosiOrders.delete(bucket, Map.of())).getDriverParametersMap())
                .as("the bucket may belong to the former cluster again, and must not be taken from it")
                .doesNotContainKey(ParameterKeys.FORMER_CLUSTER);
        assertThat(revoked(bucket)).containsEntry(ParameterKeys.FORMER_CLUSTER, "second");
    }

    private Map<String, String> revoked(Bucket bucket) {
        BucketAccess access = SidecarSamples.access(_ -> {});
        return requests.revoke(CosiOrders.revoke(
                        access, CosiOrders.bucket(bucket), access.account(), access.account(), Map.of()))
                .getProviderContext()
                .getGenericContext()
                .getBucketDataMap();
    }

    @Test
    void aBucketIsClosedWithTheReservedKeyAndTheModePrivate() {
        Bucket bucket = SidecarSamples.bucket(spec -> Specs.with(
                spec,
                "anonymousAccessMode",
                "ro",
                "parameters",
                Map.of("colour", "blue", ParameterKeys.CLOSE, "forged")));
        CreateBucketRequest request = requests.create(CosiOrders.close(bucket, Map.of()));
        assertThat(request.getAccessMode()).isEqualTo(AccessMode.MODE_UNSPECIFIED);
        assertThat(request.getDriverParametersMap())
                .containsEntry(ParameterKeys.CLOSE, "true")
                .containsEntry("colour", "blue")
                .containsEntry(ParameterKeys.OWNER_UID, "request-uid");
        assertThat(requests.create(CosiOrders.create(bucket, false, Map.of())).getDriverParametersMap())
                .doesNotContainKey(ParameterKeys.CLOSE);
    }

    @Test
    void anAccessIsSentWithItsAccountAndNoClassCanForgeReservedParameters() {
        BucketAccess access = SidecarSamples.access(it -> it.setSpec(Specs.with(
                it.getSpec(),
                "serviceAccountName",
                "robot",
                "policyActions",
                new PolicyActions(List.of("s3:GetObject", "s3:ListBucket"), List.of("s3:PutObject")),
                "parameters",
                Map.of(
                        "accessMode", "ro",
                        "cosi.io/account", "root",
                        "cosi.io/published-keys", "forged"))));
        BackendBucket bucket = new BackendBucket("photos-1", "photos-1", Map.of("colour", "blue"), "request-uid", "");
        GrantBucketAccessRequest request =
                requests.grant(CosiOrders.grant(access, bucket, access.account(), "", Map.of()));
        assertThat(request.getPermissionsMap())
                .containsOnly(
                        Map.entry("accessMode", "ro"),
                        Map.entry("cosi.io/account", "ba-access-request-uid"),
                        Map.entry("cosi.io/allow", "s3:GetObject,s3:ListBucket"),
                        Map.entry("cosi.io/deny", "s3:PutObject"),
                        Map.entry("cosi.io/service-account", "team/robot"));
        assertThat(request.getProviderContext().getGenericContext().getBucketDataMap())
                .containsOnly(
                        Map.entry("colour", "blue"),
                        Map.entry("cosi.io/cluster", "cluster-uid"),
                        Map.entry("cosi.io/owner-uid", "request-uid"));
        assertThat(requests.revoke(CosiOrders.revoke(access, bucket, access.account(), access.account(), Map.of()))
                        .getPermissionsMap())
                .isEqualTo(request.getPermissionsMap());
    }
}
