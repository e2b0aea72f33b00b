package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.StoreAccess;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.s3.S3Client;

/** The Ceph object gateway. Each bucket has an owner; the administrator itself cannot use the buckets of others. */
final class CephAdministration extends StoreAdministration {

    private final StoreAccess access;
    private final AdminApi admin;
    private final Map<String, S3Client> owners = new ConcurrentHashMap<>();

    CephAdministration(StoreAccess access, S3Client administrator) {
        super(administrator);
        this.access = access;
        this.admin = new AdminApi(access);
    }

    @Override
    Set<String> buckets() {
        return names("/admin/bucket");
    }

    /** Without the owners of buckets, but with those of buckets that do not exist: they should not exist either. */
    @Override
    Set<String> users() {
        Set<String> users = names("/admin/metadata/user");
        buckets().forEach(bucket -> users.remove("bwb-" + bucket));
        return users;
    }

    @Override
    int keysOf(String user) {
        return keys(user).size();
    }

    @Override
    S3Client clientOf(String bucket) {
        String owner = read("/admin/bucket", Map.of("bucket", bucket))
                .field("owner")
                .orElseThrow()
                .asString();
        return owners.computeIfAbsent(owner, user -> {
            JsonNode key = keys(user).getFirst();
            return StoreView.s3(
                    access.endpoint(),
                    key.field("access_key").orElseThrow().asString(),
                    key.field("secret_key").orElseThrow().asString());
        });
    }

    @Override
    public void close() {
        owners.values().forEach(S3Client::close);
        super.close();
        admin.close();
    }

    private List<JsonNode> keys(String user) {
        return read("/admin/user", Map.of("uid", user))
                .field("keys")
                .orElseThrow()
                .asArray();
    }

    private Set<String> names(String path) {
        return read(path, Map.of()).asArray().stream()
                .map(JsonNode::asString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private JsonNode read(String path, Map<String, String> query) {
        return AdminApi.json(admin.read(path, query));
    }
}
