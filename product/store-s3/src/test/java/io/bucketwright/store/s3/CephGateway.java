package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.SharedServer;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.s3.ceph.CephIdentity;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import io.bucketwright.store.s3.identity.Identity;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.services.s3.S3Client;

/** Gives the conformance tests access to a Ceph object gateway, started once for all tests of this JVM. */
final class CephGateway extends S3UnderTest implements AutoCloseable {

    private static final BucketOwner NOBODY = new BucketOwner("no-cluster", "nobody");
    private static final String ADMINISTRATOR = "administrator";

    private final LocalStore servers;
    private final AdminClient admin;
    private final Identity identity;

    private CephGateway(LocalStore servers) {
        super(administrator(servers.access()));
        this.servers = servers;
        this.admin = administrator().clients().admin();
        this.identity = CephIdentity.open(administrator().clients());
    }

    private static StoreAdministrator administrator(StoreAccess access) {
        return new StoreAdministrator(
                Map.of("endpoint", access.endpoint(), "region", access.region(), "identity", "ceph"),
                access.accessKeyId(),
                access.secretAccessKey());
    }

    AdminClient admin() {
        return admin;
    }

    /** The administrator of a gateway cannot use the buckets of others. */
    @Override
    protected S3Client s3(BucketName bucket) {
        return account(bucket);
    }

    @Override
    public void deleteBucket(BucketName bucket) {
        super.deleteBucket(bucket);
        identity.clients().deleted(call(), bucket, NOBODY);
    }

    @Override
    public Optional<Boolean> isSet(BucketName bucket, BucketOption option) {
        return switch (option) {
            case OwningUser user ->
                Optional.of(bucketField(bucket, "owner").textValue().equals(user.name()));
            case Quota _ -> Optional.of(quota(bucket).contains("\"enabled\":true"));
            case CannedAcl _ ->
                Optional.of(s3(bucket).getBucketAcl(request -> request.bucket(bucket.text())).grants().stream()
                        .anyMatch(grant -> grant.grantee().uri() != null));
            case AnonymousAccess _ ->
                exists(() -> s3(bucket)
                        .getBucketPolicy(request -> request.bucket(bucket.text()))
                        .policy()
                        .contains("BucketwrightGet"));
            default -> super.isSet(bucket, option);
        };
    }

    /** The quota of a bucket as the gateway returns it, without spaces. */
    String quota(BucketName bucket) {
        return bucketField(bucket, "bucket_quota").toString().replace(" ", "");
    }

    /** A field of the description of a bucket. */
    JsonNode bucketField(BucketName bucket, String field) {
        return admin.json(
                        call(),
                        "read the bucket " + bucket,
                        AdminRequest.of(SdkHttpMethod.GET, "/admin/bucket")
                                .with("bucket", bucket.text())
                                .with("format", "json"))
                .required(field);
    }

    /** A user that others created, without capabilities. */
    @Override
    public String bucketOwner() {
        return user("contract-owner").uid();
    }

    /** A user of applications, which others created. */
    record User(String uid, S3Client s3) {}

    /** Creates a user, or finds it; {@code settings} are further parameters of the request, such as {@code user-caps}. */
    User user(String uid, String... settings) {
        AdminRequest create = AdminRequest.of(SdkHttpMethod.PUT, "/admin/user")
                .with("uid", uid)
                .with("display-name", uid)
                .with("format", "json");
        for (int i = 0; i < settings.length; i += 2) {
            create = create.with(settings[i], settings[i + 1]);
        }
        try {
            byte[] _ = admin.send(call(), "create the user " + uid, create);
        } catch (Taken exists) {
            // As wanted.
        }
        Credentials.AccessKey key = key(uid);
        return new User(uid, administrator().clients().s3(SecretValue.of(key.id()), key.secret()));
    }

    /** The first key of a user. */
    Credentials.AccessKey key(String uid) {
        JsonNode key = admin.json(
                        call(),
                        "read the user " + uid,
                        AdminRequest.of(SdkHttpMethod.GET, "/admin/user")
                                .with("uid", uid)
                                .with("format", "json"))
                .required("keys")
                .required(0);
        return new Credentials.AccessKey(
                key.required("access_key").textValue(),
                SecretValue.of(key.required("secret_key").textValue()));
    }

    /** The user whose key the store uses. */
    String administratorName() {
        return ADMINISTRATOR;
    }

    /** The account that owns the bucket. */
    S3Client account(BucketName bucket) {
        return identity.clients().find(call(), bucket);
    }

    @Override
    public void close() {
        servers.close();
    }

    /** Resolves the gateway as a parameter of tests. */
    static final class Provider extends SharedServer<CephGateway> {
        Provider() {
            super(CephGateway.class, () -> new CephGateway(LocalStore.start(StoreKind.CEPH)));
        }
    }
}
