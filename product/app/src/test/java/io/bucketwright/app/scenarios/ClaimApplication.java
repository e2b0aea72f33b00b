package io.bucketwright.app.scenarios;

import java.util.Map;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** An application with what was handed over to a claim, and what the store lets it do. */
final class ClaimApplication implements AutoCloseable {

    private static final int FORBIDDEN = 403;

    private final S3Client client;
    private final String bucket;

    ClaimApplication(Scenario scenario, String claim) {
        Map<String, String> config = scenario.config(claim);
        this.client = StoreView.application(config, scenario.keys(claim));
        this.bucket = config.getOrDefault("BUCKET_NAME", "");
    }

    boolean reads(String key) {
        return isAllowed(
                () -> client.getObjectAsBytes(it -> it.bucket(bucket).key(key)).asUtf8String());
    }

    boolean writes(String key) {
        return isAllowed(() -> client.putObject(it -> it.bucket(bucket).key(key), RequestBody.fromString("mine")));
    }

    boolean deletes(String key) {
        return isAllowed(() -> client.deleteObject(it -> it.bucket(bucket).key(key)));
    }

    boolean lists(String prefix) {
        return isAllowed(() -> client.listObjectsV2(it -> it.bucket(bucket).prefix(prefix)));
    }

    @Override
    public void close() {
        client.close();
    }

    /** Refused is one answer only: whatever else goes wrong is a failure of the test. */
    private static boolean isAllowed(Runnable request) {
        try {
            request.run();
            return true;
        } catch (S3Exception refused) {
            if (refused.statusCode() != FORBIDDEN) {
                throw refused;
            }
            return false;
        }
    }
}
