package io.bucketwright.store.s3.minio;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.LoopbackServer;
import io.bucketwright.store.s3.S3Application;
import io.bucketwright.store.s3.StoreAdministrator;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a claim reports if MinIO, its endpoint or its administrator's key is not as the class says. */
@ExtendWith(MinioServer.Provider.class)
final class MinioFailuresIT {

    private final StoreAdministrator administrator;
    private final MinioServer tools;
    private final BucketName bucket = BucketName.generate("it", new SecureRandom());
    private final BucketOwner owner =
            new BucketOwner("it-cluster", UUID.randomUUID().toString());

    MinioFailuresIT(MinioServer server) {
        this.administrator = server.administrator();
        this.tools = server;
    }

    @AfterEach
    void cleanUp() {
        try (CompleteStore store = tools.store()) {
            store.revoke(call(), bucket, owner);
        }
        tools.deleteBucket(bucket);
    }

    @Test
    void aWrongKeyOfTheAdministratorIsDenied() {
        AdministratorSecret unknown = new AdministratorSecret(Map.of(
                "AWS_ACCESS_KEY_ID", SecretValue.of("nobody"), "AWS_SECRET_ACCESS_KEY", SecretValue.of("secret-0123")));
        for (String identity : Set.of("minio", "auto")) {
            try (CompleteStore store = open("identity", identity, unknown)) {
                assertThatThrownBy(() -> store.check(call(), bucket, owner))
                        .isInstanceOf(Denied.class)
                        .hasMessageContaining("InvalidAccessKeyId");
            }
            try (CompleteStore store = open("identity", identity, administrator.secret("wrong-secret"))) {
                assertThatThrownBy(() -> store.revoke(call(), bucket, owner))
                        .isInstanceOf(Denied.class)
                        .hasMessageContaining("SignatureDoesNotMatch");
            }
        }
    }

    @Test
    void anEndpointThatIsNotAStoreIsReported() {
        try (LoopbackServer website =
                        new LoopbackServer(exchange -> LoopbackServer.respond(exchange, 404, "<html>Not here</html>"));
                CompleteStore store = open("endpoint", website.url(), administrator.secret())) {
            assertThatThrownBy(() -> store.revoke(call(), bucket, owner))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("not a response of")
                    .hasMessageContaining("parameter identity");
        }
    }

    @Test
    void anotherIdentityThanTheOneOfTheStoreIsReported() {
        try (CompleteStore store = open("identity", "iam", administrator.secret())) {
            assertThatThrownBy(() -> store.revoke(call(), bucket, owner))
                    .isInstanceOf(Unsupported.class)
                    .hasMessageContaining("iamEndpoint")
                    .hasMessageContaining("parameter identity");
        }
    }

    @Test
    void theIdentityIsDetected() {
        try (CompleteStore store = open("identity", "auto", administrator.secret())) {
            assertThat(store.capabilities()).contains(Capability.CORS, Capability.QUOTA);
            ProvisionedBucket made = store.provision(call(), provisionRequest(bucket, owner));
            assertThat(made.state()).containsEntry("identity", "minio");
            assertThat(store.capabilities()).contains(Capability.QUOTA).doesNotContain(Capability.CORS);
            new S3Application(made).put("key", "text");
        }
    }

    private CompleteStore open(String parameter, String value, AdministratorSecret secret) {
        return tools.open(Map.of("readTimeout", "60s", parameter, value), secret);
    }
}
