package io.bucketwright.store.contract;

import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOptions;
import java.time.Duration;
import java.util.Set;

/** The calls and requests that most tests of a store need. */
public final class StoreRequests {

    private StoreRequests() {}

    /** A call that ends when a test has failed anyway. */
    public static StoreCall call() {
        return StoreCall.within(Duration.ofMinutes(1));
    }

    /** For a bucket whose name somebody chose, with a principal that may read and write. */
    public static ProvisionRequest provisionRequest(BucketName bucket, BucketOwner owner, BucketOption... options) {
        return provisionRequest(bucket, owner, Access.readWrite(), options);
    }

    /** For a bucket whose name somebody chose. */
    public static ProvisionRequest provisionRequest(
            BucketName bucket, BucketOwner owner, Access access, BucketOption... options) {
        return new ProvisionRequest(bucket, Naming.GIVEN, owner, access, BucketOptions.of(options), Set.of());
    }

    /** For a principal that may read and write. */
    public static GrantRequest grantRequest(BucketName bucket, BucketOwner owner, String... publishedKeys) {
        return new GrantRequest(bucket, owner, Access.readWrite(), Set.of(publishedKeys));
    }
}
