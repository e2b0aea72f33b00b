package io.bucketwright.buckets;

import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.s3.S3Client;

/** What the administrator of a store sees: its buckets, users and policies. */
final class StoreContents {

    private StoreContents() {}

    /** The names of everything in the store, in order. MinIO shows policies, which it deletes only after their users. */
    static List<String> of(StoreKind kind, StoreAccess access) {
        AwsClients clients = clients(access);
        try (AdminClient admin = clients.admin();
                S3Client s3 = clients.s3()) {
            return (switch (kind) {
                        case CEPH ->
                            Stream.concat(
                                    names(read(admin, "/admin/bucket"), "bucket"),
                                    names(read(admin, "/admin/metadata/user"), "user"));
                        case MINIO ->
                            Stream.concat(
                                    s3.listBuckets().buckets().stream().map(bucket -> "bucket " + bucket.name()),
                                    read(admin, "/minio/admin/v3/list-canned-policies").asObject().keySet().stream()
                                            .map(policy -> "policy " + policy));
                        case S3, AZURE, GCS, MOTO ->
                            throw new IllegalArgumentException(kind + " has no administration API of its own");
                    })
                    .sorted()
                    .toList();
        }
    }

    /** The keys of a user of a Ceph object gateway, as its admin API shows the user. */
    static Map<String, String> cephKeys(JsonNode user) {
        JsonNode key = user.field("keys").orElseThrow().asArray().getFirst();
        return S3Clients.keys(
                key.field("access_key").orElseThrow().asString(),
                key.field("secret_key").orElseThrow().asString());
    }

    /** Sends a request of the administrator to the admin API of a store, and returns the JSON in the response. */
    static JsonNode send(StoreAccess access, SdkHttpMethod method, String path, Map<String, String> query) {
        return parse(sendRaw(access, method, path, query));
    }

    /** Sends a request of the administrator to the admin API of a store, and returns the body of the response. */
    static byte[] sendRaw(StoreAccess access, SdkHttpMethod method, String path, Map<String, String> query) {
        AdminRequest request = AdminRequest.of(method, path).with("format", "json");
        for (Map.Entry<String, String> parameter : query.entrySet()) {
            request = request.with(parameter.getKey(), parameter.getValue());
        }
        try (AdminClient admin = clients(access).admin()) {
            return send(admin, request, path);
        }
    }

    private static AwsClients clients(StoreAccess access) {
        return new AwsClients(
                S3Parameters.of(S3Parameters.schema().parse(Map.of("endpoint", access.endpoint()))),
                SecretValue.of(access.accessKeyId()),
                SecretValue.of(access.secretAccessKey()),
                List.of());
    }

    private static Stream<String> names(JsonNode list, String kind) {
        return list.asArray().stream().map(name -> kind + " " + name.asString());
    }

    private static JsonNode read(AdminClient admin, String path) {
        return parse(send(admin, AdminRequest.of(SdkHttpMethod.GET, path).with("format", "json"), path));
    }

    private static byte[] send(AdminClient admin, AdminRequest request, String path) {
        return admin.send(StoreCall.within(Duration.ofMinutes(1)), "use " + path, request);
    }

    private static JsonNode parse(byte[] body) {
        return JsonNode.parser().parse(new String(body, StandardCharsets.UTF_8));
    }
}
