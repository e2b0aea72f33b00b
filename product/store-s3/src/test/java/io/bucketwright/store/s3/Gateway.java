package io.bucketwright.store.s3;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.SharedServer;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.s3.S3Client;

/** A real versitygw, started once for all tests of this JVM. */
record Gateway(LocalStore servers, StoreAccess access, S3Client s3, IamClient iam) implements AutoCloseable {

    static Gateway start() {
        LocalStore servers = LocalStore.start();
        StoreAccess access = servers.access();
        AwsClients clients = new AwsClients(
                S3Parameters.of(S3Parameters.schema().parse(parameters(access))),
                SecretValue.of(access.accessKeyId()),
                SecretValue.of(access.secretAccessKey()),
                List.of());
        return new Gateway(servers, access, clients.s3(), clients.iam());
    }

    Map<String, String> parameters() {
        return parameters(access);
    }

    AdministratorSecret administrator() {
        return secret(access.secretAccessKey());
    }

    AdministratorSecret secret(String secretKey) {
        return new AdministratorSecret(Map.of(
                "AWS_ACCESS_KEY_ID", SecretValue.of(access.accessKeyId()),
                "AWS_SECRET_ACCESS_KEY", SecretValue.of(secretKey)));
    }

    @Override
    public void close() {
        servers.close();
    }

    private static Map<String, String> parameters(StoreAccess access) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("endpoint", access.endpoint());
        parameters.put("iamEndpoint", access.iamEndpoint());
        parameters.put("region", access.region());
        parameters.put("unsupportedOptions", "lifecycle");
        return parameters;
    }

    /** Resolves the gateway as a parameter of tests. */
    static final class Provider extends SharedServer<Gateway> {
        Provider() {
            super(Gateway.class, Gateway::start);
        }
    }
}
