package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.StoreAccess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.s3.S3Client;

/** MinIO. Its export of users and keys is the only list of them that it does not encrypt. */
final class MinioAdministration extends StoreAdministration {

    private final AdminApi admin;

    MinioAdministration(StoreAccess access, S3Client administrator) {
        super(administrator);
        this.admin = new AdminApi(access);
    }

    /** Also the owners of policies without a user: the policy of a user is deleted after it. */
    @Override
    Set<String> users() {
        Set<String> users = new TreeSet<>(exported("users").keySet());
        exported("policies").keySet().stream()
                .filter(policy -> policy.startsWith("bw-"))
                .map(policy -> policy.substring(0, policy.indexOf('@')))
                .forEach(users::add);
        return users;
    }

    @Override
    int keysOf(String user) {
        return Math.toIntExact(exported("svcaccts").values().stream()
                .filter(key -> key.field("parent").orElseThrow().asString().equals(user))
                .count());
    }

    @Override
    public void close() {
        super.close();
        admin.close();
    }

    /** An object in the archive, by the names of its entries. */
    private Map<String, JsonNode> exported(String name) {
        byte[] archive = admin.read("/minio/admin/v3/export-iam", Map.of());
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (entry.getName().endsWith("/" + name + ".json")) {
                    return AdminApi.json(zip.readAllBytes()).asObject();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("MinIO exports no " + name);
    }
}
