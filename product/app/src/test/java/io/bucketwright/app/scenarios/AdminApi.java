package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.testing.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** Reads from the admin API of a store that has one beside S3. */
final class AdminApi implements AutoCloseable {

    private final AdminClient client;

    AdminApi(StoreAccess access) {
        this.client = new AwsClients(
                        S3Parameters.of(S3Parameters.schema().parse(Map.of("endpoint", access.endpoint()))),
                        SecretValue.of(access.accessKeyId()),
                        SecretValue.of(access.secretAccessKey()),
                        List.of())
                .admin();
    }

    /** Waits for a store that answers 503: MinIO serves objects before it serves all of its admin API. */
    byte[] read(String path, Map<String, String> query) {
        return Awaitility.await("the admin API to be served")
                .atMost(Eventually.TIMEOUT)
                .ignoreExceptionsInstanceOf(Unavailable.class)
                .until(() -> send(path, query), _ -> true);
    }

    private byte[] send(String path, Map<String, String> query) {
        AdminRequest request = AdminRequest.of(SdkHttpMethod.GET, path);
        for (Map.Entry<String, String> parameter : query.entrySet()) {
            request = request.with(parameter.getKey(), parameter.getValue());
        }
        return client.send(StoreCall.within(Duration.ofMinutes(1)), "read " + path, request);
    }

    static JsonNode json(byte[] body) {
        return JsonNode.parser().parse(new String(body, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        client.close();
    }
}
