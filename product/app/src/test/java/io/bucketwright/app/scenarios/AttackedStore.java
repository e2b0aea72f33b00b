package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.gcs.GcsServer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A store behind Bucketwright's driver, as its administrator and as applications with {@code BucketInfo} use it. */
interface AttackedStore extends AutoCloseable {

    /**
     * What an application has from its {@code BucketInfo}.
     *
     * @param endpoint empty for Azure
     * @param id of the key; empty for Azure
     * @param secret of the key, or the token
     */
    record IssuedKey(String bucket, String endpoint, String region, String id, String secret) {
        /** Without the secret. */
        @Override
        public String toString() {
            return "key " + id + " of " + bucket;
        }

        IssuedKey forBucket(String other) {
            return new IssuedKey(other, endpoint, region, id, secret);
        }
    }

    /** Flags of the driver. */
    Map<String, String> parameters();

    /** Credentials of the driver, as environment variables. */
    Map<String, String> administrator();

    Set<String> buckets();

    /** The accounts of applications; empty for a store whose accounts are parts of its buckets. */
    Set<String> accounts();

    /** How many keys an account has; for a store that counts no keys, the one that it must be. */
    int keysOf(String account);

    /** Whether an application with this key writes and reads what it wrote. */
    boolean works(IssuedKey key);

    @Override
    void close();

    /** Starts an empty store. */
    static AttackedStore start(StoreKind kind) {
        return switch (kind) {
            case S3, MINIO, CEPH -> new S3(kind, LocalStore.start(kind));
            case AZURE -> new AttackedAzure(LocalStore.start(kind));
            // The server of the tests, which checks keys; the emulator does not.
            case GCS -> new AttackedGcs(GcsServer.start());
            case MOTO -> throw new IllegalArgumentException(kind + " is not attacked");
        };
    }

    /** A store with the S3 protocol and users. */
    record S3(StoreKind kind, LocalStore server, StoreView view) implements AttackedStore {

        S3(StoreKind kind, LocalStore server) {
            this(kind, server, new StoreView(kind, server.access()));
        }

        @Override
        public Map<String, String> parameters() {
            Map<String, String> parameters = new HashMap<>(Map.of(
                    "endpoint",
                    server.access().endpoint(),
                    "region",
                    server.access().region()));
            parameters.putAll(
                    kind == StoreKind.S3
                            ? Map.of("iamEndpoint", server.access().iamEndpoint())
                            : Map.of("identity", kind.text()));
            return parameters;
        }

        @Override
        public Map<String, String> administrator() {
            return Map.of(
                    "AWS_ACCESS_KEY_ID", server.access().accessKeyId(),
                    "AWS_SECRET_ACCESS_KEY", server.access().secretAccessKey());
        }

        @Override
        public Set<String> buckets() {
            return view.buckets();
        }

        @Override
        public Set<String> accounts() {
            Set<String> users = view.users();
            users.remove("administrator");
            return users;
        }

        @Override
        public int keysOf(String account) {
            return view.keysOf(account);
        }

        @Override
        public boolean works(IssuedKey key) {
            return StoreView.works(
                    Map.of("BUCKET_NAME", key.bucket(), "BUCKET_ENDPOINT", key.endpoint()),
                    Map.of("AWS_ACCESS_KEY_ID", key.id(), "AWS_SECRET_ACCESS_KEY", key.secret()));
        }

        @Override
        public void close() {
            view.close();
            server.close();
        }
    }
}
