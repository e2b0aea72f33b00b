package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOptions;
import java.security.SecureRandom;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** One bucket and its owner on a versitygw. */
@ExtendWith(Gateway.Provider.class)
abstract class GatewayTest {

    final Gateway tools;
    final S3Client s3;
    final CompleteStore store;
    final BucketName bucket = BucketName.generate("it", new SecureRandom());
    final BucketOwner owner = new BucketOwner("it-cluster", UUID.randomUUID().toString());

    GatewayTest(Gateway gateway) {
        this.tools = gateway;
        this.s3 = tools.administrator().s3();
        this.store = tools.store();
    }

    @AfterEach
    void cleanUp() {
        store.revoke(call(), bucket, owner);
        tools.deleteBucket(bucket);
        store.close();
    }

    ProvisionedBucket provision(BucketOption... options) {
        return store.provision(call(), request(Naming.GIVEN, options));
    }

    ProvisionRequest request(Naming naming, BucketOption... options) {
        return new ProvisionRequest(bucket, naming, owner, Access.readWrite(), BucketOptions.of(options), Set.of());
    }

    void update(Access access, BucketOption option) {
        store.update(call(), new UpdateRequest(bucket, owner, access, BucketOptions.of(option)));
    }

    Progress delete(OnNotEmpty onNotEmpty) {
        return store.delete(call(), new DeleteRequest(bucket, owner, onNotEmpty));
    }

    void put(String key) {
        s3.putObject(request -> request.bucket(bucket.text()).key(key), RequestBody.fromString("text"));
    }

    /** A policy that denies one action. */
    String denial(String action) {
        return "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":\"*\"," + "\"Action\":[\""
                + action + "\"],\"Resource\":[\"arn:aws:s3:::" + bucket + "/never/*\"]}]}";
    }

    void putPolicyByHand(String action) {
        s3.putBucketPolicy(request -> request.bucket(bucket.text()).policy(denial(action)));
    }
}
