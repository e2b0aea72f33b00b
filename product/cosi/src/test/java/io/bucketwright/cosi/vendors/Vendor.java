package io.bucketwright.cosi.vendors;

import io.bucketwright.cosi.vendors.VendorBehavior.AccountIds;
import io.bucketwright.cosi.vendors.VendorBehavior.Keys;
import io.grpc.Status.Code;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The drivers that speak {@code cosi.v1alpha1}, each with the behavior that was found by reading its code. No driver of a
 * vendor runs here: where nothing is known, the stub does what the text of the protocol asks for.
 */
public enum Vendor {
    SAMPLE(
            "sample.objectstorage.k8s.io",
            driver -> driver.keys(Keys.OF_DRIVER)
                    .absent(Code.OK, Code.INTERNAL)
                    .keyIdName("accessKeyId")
                    .noEndpoint()
                    .noRegion()),
    IN_MEMORY_SAMPLE("cosi-driver-sample-s3-inmemory.objectstorage.k8s.io", _ -> {}),
    CEPH(
            "rook.ceph.objectstorage.k8s.io",
            driver -> driver.secondCreate(Code.ALREADY_EXISTS)
                    .account(AccountIds.NAME, SecondGrant.PANICS)
                    .absent(Code.INTERNAL, Code.INTERNAL)
                    .parameters(Parameters.USER_SECRET, Parameters.USER_SECRET)
                    .readsBucketObject()
                    .noRegion()),
    SEAWEEDFS("seaweedfs.objectstorage.k8s.io", driver -> driver.account(AccountIds.NAME, SecondGrant.ANOTHER_KEY)),
    SCALITY(
            "cosi.scality.com",
            driver -> driver.secondCreate(Code.ALREADY_EXISTS)
                    .account(AccountIds.NAME, SecondGrant.ALREADY_EXISTS)
                    .fullDelete(Code.FAILED_PRECONDITION)
                    .parameters(Parameters.STORAGE_SECRET, Parameters.STORAGE_SECRET)
                    .readsBucketObject()),
    LINODE(
            "objectstorage.cosi.linode.com",
            driver -> driver.bucketId(name -> "us-east/" + name)
                    .account(AccountIds.EACH_KEY, SecondGrant.ANOTHER_KEY)
                    .onlyKeys(Code.INVALID_ARGUMENT)
                    .parameters(
                            Map.of("cosi.linode.com/v1/region", "us-east"),
                            Map.of("cosi.linode.com/v1/permissions", "read_write"))),
    DELL(
            "cosi.dellemc.com",
            driver -> driver.bucketId(name -> "objectscale1-" + name)
                    .account(AccountIds.DERIVED, SecondGrant.ANOTHER_KEY)
                    .parameters(Map.of("id", "objectscale1"), Map.of("id", "objectscale1"))
                    .bucketNameAsExtraKey()
                    .noRegion()),
    HPE(
            "cosi.hpe.com",
            driver -> driver.account(AccountIds.NAME, SecondGrant.REPLACES_KEY)
                    .onlyKeys(Code.INVALID_ARGUMENT)
                    .parameters(Parameters.HPE_SECRET, Parameters.HPE_SECRET)
                    .readsBucketObject()),
    NUTANIX(
            "ntnx.objectstorage.k8s.io",
            driver -> driver.account(AccountIds.DERIVED, SecondGrant.FAILS).absent(Code.OK, Code.INTERNAL)),
    AZURE(
            "blob.cosi.azure.com",
            driver -> driver.bucketId(Vendor::longId)
                    .account(AccountIds.NAME, SecondGrant.ANOTHER_KEY)
                    .keys(Keys.UNTIL_BUCKET_DELETED)
                    .onlyKeys(Code.UNIMPLEMENTED)
                    .parameters(
                            Map.of("bucketunittype", "container", "storageaccountname", "photos"),
                            Map.of("bucketunittype", "container"))
                    .azure()),
    VERSITYGW(
            "versitygw.cosi.dev",
            driver -> driver.account(AccountIds.EACH_KEY, SecondGrant.ANOTHER_KEY)
                    .names("[a-z0-9-]{3,63}")
                    .refusesUnknownParameters()
                    .onlyKeys(Code.INVALID_ARGUMENT)),
    BACKBLAZE(
            "b2.backblaze.com",
            driver -> driver.account(AccountIds.EACH_KEY, SecondGrant.ANOTHER_KEY)
                    .fullDelete(Code.FAILED_PRECONDITION)
                    .parameters(Map.of(), Map.of("accessMode", "ro"))),
    HETZNER(
            "hcloud.espressolab.objectstorage.k8s.io",
            driver -> driver.bucketId(name -> "fsn1:cosi-" + name)
                    .secondCreate(Code.INTERNAL)
                    .keys(Keys.OF_DRIVER)
                    .absent(Code.OK, Code.INTERNAL)
                    .parameters(Map.of("location", "fsn1"), Map.of())
                    .bucketNameAsExtraKey()
                    .noRegion()),
    GARAGE(
            "garage.objectstorage.k8s.io",
            driver -> driver.bucketId(
                            name -> Integer.toHexString(name.hashCode()).repeat(4))
                    .account(AccountIds.EACH_KEY, SecondGrant.ANOTHER_KEY)
                    .onlyKeys(Code.UNIMPLEMENTED)
                    .absent(Code.INTERNAL, Code.OK)
                    .parameters(Map.of(), Map.of("read", "true", "write", "true"))),
    CLOUDIAN(
            "cloudian-cosi-driver",
            driver -> driver.secondCreate(Code.UNKNOWN)
                    .account(AccountIds.DERIVED, SecondGrant.FAILS)
                    .failure(Code.UNKNOWN)
                    .absent(Code.UNKNOWN, Code.UNKNOWN)
                    .parameters(Map.of("storagePolicyID", "p1"), Map.of())),
    IBM(
            "s3-iam.objectstorage.k8s.io",
            driver -> driver.account(AccountIds.DERIVED, SecondGrant.SAME_KEYS)
                    .absent(Code.OK, Code.INTERNAL)
                    .parameters(Parameters.ACCOUNT_SECRET, Parameters.ACCOUNT_SECRET)
                    .readsBucketObject()
                    .readsAccessObject()),
    POWERSCALE(
            "isilon.powerscale.cosi.japannext.co.jp",
            driver -> driver.bucketId(name -> "isilon-" + name)
                    .secondCreateEmpty()
                    .account(AccountIds.NAME, SecondGrant.ANOTHER_KEY)
                    .failure(Code.UNKNOWN)
                    .noRegion()),
    QUMULO(
            "s3.qumulo.com",
            driver -> driver.bucketId(name -> "q3:qumulo:host:8000:" + name + ":/buckets/" + name + ":7:managed")
                    .account(AccountIds.DERIVED, SecondGrant.SAME_KEYS)
                    .parameters(Parameters.QUMULO, Parameters.QUMULO)
                    .refusesUnknownParameters()
                    .requiredContext(Parameters.QUMULO.keySet())),
    VAST(
            "csi.vastdata.com",
            driver -> driver.bucketId(name -> name + "@tenant@https://vast.test:443")
                    .account(AccountIds.EACH_KEY, SecondGrant.ANOTHER_KEY)
                    .names(".{1,63}")
                    .parameters(Map.of("root_export", "/buckets", "vip_pool_name", "pool"), Map.of())
                    .noRegion()),
    NOOBAA(
            "noobaa.objectstorage.k8s.io",
            driver -> driver.secondCreate(Code.INVALID_ARGUMENT)
                    .account(AccountIds.NAME, SecondGrant.FAILS)
                    .noEndpoint()
                    .noRegion()),
    RUSTFS(
            "rustfs.objectstorage.k8s.io",
            driver -> driver.parameters(Parameters.RUSTFS, Parameters.RUSTFS)
                    .requiredContext(Parameters.RUSTFS.keySet())),
    S3GW("s3gw.objectstorage.k8s.io", _ -> {});

    private final String driverName;

    @SuppressWarnings("ImmutableEnumChecker") // Only lambdas without state.
    private final Consumer<VendorBehavior> behavior;

    Vendor(String driverName, Consumer<VendorBehavior> behavior) {
        this.driverName = driverName;
        this.behavior = behavior;
    }

    public String driverName() {
        return driverName;
    }

    /** The parameters that a BucketClass for it has. */
    public Map<String, String> bucketParameters() {
        return behavior().bucketParameters;
    }

    /** The parameters that a BucketAccessClass for it has. */
    public Map<String, String> accessParameters() {
        return behavior().accessParameters;
    }

    public boolean isAzure() {
        return behavior().azure;
    }

    /** Whether it gives the same keys to every account. */
    public boolean hasOneKey() {
        return behavior().keys == Keys.OF_DRIVER;
    }

    VendorBehavior behavior() {
        VendorBehavior built = new VendorBehavior();
        behavior.accept(built);
        return built;
    }

    /** More than 128 bytes, with the characters of base64. */
    private static String longId(String name) {
        String json = "{\"SubID\":\"00000000-0000-0000-0000-000000000000\",\"ResourceGroup\":\"group\",\"URL\":"
                + "\"https://photos.blob.core.windows.net/" + name + "\"}";
        return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    /** What the classes of several drivers have in common: where the driver finds its credentials. */
    private static final class Parameters {
        static final Map<String, String> USER_SECRET =
                Map.of("objectStoreUserSecretName", "user", "objectStoreUserSecretNamespace", "store");
        static final Map<String, String> STORAGE_SECRET =
                Map.of("objectStorageSecretName", "user", "objectStorageSecretNamespace", "store");
        static final Map<String, String> HPE_SECRET =
                Map.of("cosiUserSecretName", "user", "cosiUserSecretNamespace", "store");
        static final Map<String, String> ACCOUNT_SECRET =
                Map.of("accountSecret", "user", "accountSecretNamespace", "store");
        static final Map<String, String> QUMULO =
                Map.of("endpoint", "https://qumulo.test", "credentialsSecretName", "user");
        static final Map<String, String> RUSTFS = Map.of(
                "endpoint",
                "https://rustfs.test",
                "objectStoreUserSecretName",
                "user",
                "objectStoreUserSecretNamespace",
                "store");

        private Parameters() {}
    }
}
