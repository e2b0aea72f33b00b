package io.bucketwright.store.s3.minio;

import io.bucketwright.store.contract.BucketStoreContract;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.Quota;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** The conformance tests of every store, on MinIO. */
@ExtendWith(MinioServer.Provider.class)
final class MinioIT extends BucketStoreContract {

    MinioIT(MinioServer server) {
        super(server);
    }

    /** MinIO cannot limit the number of objects. */
    @Override
    public List<BucketOption> samples() {
        return super.samples().stream()
                .map(option -> option instanceof Quota quota ? new Quota(quota.maxBytes(), Quota.UNLIMITED) : option)
                .toList();
    }
}
