package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.Contract;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** A real versitygw behind a proxy that only accepts requests with the bucket in the host name. */
@ResourceLock(value = "gateway", mode = ResourceAccessMode.READ)
final class VirtualHostIT extends GatewayTest {

    private final VirtualHostProxy proxy = new VirtualHostProxy();

    VirtualHostIT(Gateway gateway) {
        super(gateway);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    @Test
    void aStoreThatOnlyTakesVirtualHostStyleIsServed() {
        try (CompleteStore virtual = tools.open(parameters("false"))) {
            ProvisionedBucket bound = virtual.provision(call(), request(Naming.GIVEN, new Versioning(true)));
            try (S3Client application = application(Contract.accessKey(bound))) {
                application.putObject(
                        request -> request.bucket(bucket.text()).key("folder/a b+c"), RequestBody.fromString("text"));
                assertThat(application
                                .getObjectAsBytes(
                                        request -> request.bucket(bucket.text()).key("folder/a b+c"))
                                .asUtf8String())
                        .isEqualTo("text");
            }
            assertThat(virtual.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE)))
                    .isEqualTo(new Progress.Done());
        }
        assertThat(tools.bucketExists(bucket)).isFalse();
        assertThat(proxy.requests)
                .anySatisfy(request ->
                        assertThat(request).startsWith("PUT http://" + bucket + "." + VirtualHostProxy.DOMAIN));
    }

    @Test
    void pathStyleIsRefusedThereAndTheMessageNamesTheParameter() {
        try (CompleteStore byPath = tools.open(parameters("true"))) {
            assertThatThrownBy(() -> byPath.provision(call(), request(Naming.GIVEN)))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("SecondLevelDomainForbidden")
                    .hasMessageContaining("pathStyle");
        }
    }

    private S3Client application(AccessKey key) {
        S3Parameters parameters = S3Parameters.of(S3Parameters.schema().parse(parameters("false")));
        return new AwsClients(parameters, SecretValue.of(key.id()), key.secret(), List.of()).s3();
    }

    private Map<String, String> parameters(String pathStyle) {
        int port = URI.create(tools.access().endpoint()).getPort();
        return tools.parameters(Map.of(
                "endpoint",
                "http://" + VirtualHostProxy.DOMAIN + ":" + port,
                "proxy",
                proxy.url(),
                "pathStyle",
                pathStyle));
    }
}
