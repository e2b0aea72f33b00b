package io.bucketwright.cosi.driver;

import static io.bucketwright.cosi.driver.ServedClusters.BUCKET;
import static io.bucketwright.cosi.driver.ServedClusters.assertRefused;
import static io.bucketwright.cosi.driver.ServedClusters.grant;
import static io.bucketwright.cosi.driver.ServedClusters.newBucket;
import static io.bucketwright.cosi.driver.ServedClusters.revoke;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.fixture.GcsStore;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.testing.gcs.GcsResponse;
import io.bucketwright.testing.gcs.GcsServer;
import io.grpc.Status.Code;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a driver of Google Cloud Storage declares, and what it hands out over the released protocol. */
class GcsDriverTest {

    private final GcsServer server = GcsServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theDriverDeclaresTheProtocolOfItsCredentials() {
        try (ServedClusters driver = driver(Map.of())) {
            assertThat(protocol(driver)).isEqualTo(DataProtocol.GCS);
        }
        try (ServedClusters driver = driver(Map.of("principalKeys", "serviceAccount"))) {
            assertThat(protocol(driver)).isEqualTo(DataProtocol.GCS);
        }
        try (ServedClusters driver = driver(Map.of("principalKeys", "hmac"))) {
            assertThat(protocol(driver)).isEqualTo(DataProtocol.S3);
        }
    }

    @Test
    void aReleasedAccessIsRefusedBeforeAnythingIsCreated() {
        try (ServedClusters driver = driver(Map.of())) {
            ProvisionerBlockingStub stub = driver.of("cluster-a");
            assertThat(stub.driverCreateBucket(newBucket(Map.of()))
                            .getBucketInfo()
                            .getGcs()
                            .getProjectId())
                    .isEqualTo(GcsServer.PROJECT);
            assertRefused(
                    Code.INVALID_ARGUMENT,
                    "--param principalKeys=hmac",
                    () -> stub.driverGrantBucketAccess(grant(Map.of())));
            assertThat(server.accounts()).isEmpty();
        }
    }

    @Test
    void hmacKeysAreCredentialsOfS3() {
        try (ServedClusters driver = driver(Map.of("principalKeys", "hmac"))) {
            ProvisionerBlockingStub stub = driver.of("cluster-a");
            assertThat(stub.driverCreateBucket(newBucket(Map.of()))
                            .getBucketInfo()
                            .hasS3())
                    .isTrue();
            DriverGrantBucketAccessResponse granted = stub.driverGrantBucketAccess(grant(Map.of()));
            assertThat(granted.getCredentialsOrThrow("s3").getSecretsMap())
                    .containsEntry("endpoint", server.endpoint())
                    .containsEntry("region", "auto")
                    .containsKeys("accessKeyID", "accessSecretKey");
            stub.driverRevokeBucketAccess(revoke());
            assertThat(server.accounts()).isEmpty();
        }
    }

    /** Somebody changed the tags of the account: nobody knows whether all its keys have ended. */
    @Test
    void anAccountThatNamesNoOwnerAnyMoreIsNotReportedAsRevoked() {
        try (ServedClusters driver = driver(Map.of("principalKeys", "hmac"))) {
            ProvisionerBlockingStub stub = driver.of("cluster-a");
            stub.driverCreateBucket(newBucket(Map.of()));
            stub.driverGrantBucketAccess(grant(Map.of()));
            String email = server.accounts().iterator().next();
            GcsResponse edited = new GcsResponse(
                    200, "application/json", "{\"email\":\"" + email + "\",\"description\":\"ours\"}", Map.of());
            server.setFault(request -> Optional.of(edited)
                    .filter(_ ->
                            request.startsWith("GET /v1/projects/") && request.endsWith(email.replace("@", "%40"))));

            for (int times = 0; times < 2; times++) {
                assertRefused(
                        Code.UNAUTHENTICATED,
                        "is not deleted: somebody changed it in the store",
                        () -> stub.driverRevokeBucketAccess(revoke()));
            }
            assertThat(server.bindings(BUCKET)).doesNotContain("serviceAccount:bw-");
        }
    }

    private static DataProtocol protocol(ServedClusters driver) {
        return driver.design()
                .driverInfo(DriverInfoRequest.getDefaultInstance())
                .getSupportedProtocol();
    }

    private ServedClusters driver(Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(server.parameters());
        parameters.putAll(more);
        return new ServedClusters("gcs", parameters, new GcsStore(server).secrets());
    }
}
