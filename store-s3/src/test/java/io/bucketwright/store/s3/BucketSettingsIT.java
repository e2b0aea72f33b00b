package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.options.BucketOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;

/** Options of a bucket are set, and settings without an option are left unchanged. */
@ExtendWith(Gateway.Provider.class)
@ResourceLock(value = "gateway", mode = ResourceAccessMode.READ)
final class BucketSettingsIT {

    private final Gateway gateway;
    private final VersityGateway tools;
    private final BucketStore store;
    private final BucketName bucket = BucketName.generate("settings", new SecureRandom());
    private final BucketOwner owner =
            new BucketOwner("it-cluster", UUID.randomUUID().toString());

    BucketSettingsIT(Gateway gateway) {
        this.gateway = gateway;
        this.tools = new VersityGateway(gateway);
        this.store = tools.store();
    }

    @AfterEach
    void cleanUp() {
        store.revoke(call(), bucket, owner);
        tools.deleteBucket(bucket);
        store.close();
    }

    @Test
    void optionsAreSet() {
        provision(BucketOptions.unmanaged());
        update(new Versioning(true));
        update(new Cors("{\"CORSRules\":[{\"AllowedMethods\":[\"GET\"],\"AllowedOrigins\":[\"https://a.test\"]}]}"));
        update(new Policy(denyDeletion()));
        update(new Tags(Map.of("team", "blue")));
        assertThat(gateway.s3()
                        .getBucketVersioning(request -> request.bucket(bucket.text()))
                        .status())
                .isEqualTo(BucketVersioningStatus.ENABLED);
        assertThat(gateway.s3()
                        .getBucketCors(request -> request.bucket(bucket.text()))
                        .corsRules())
                .extracting(CORSRule::allowedOrigins)
                .containsExactly(List.of("https://a.test"));
        assertThat(policy()).contains("s3:DeleteObject");
        assertThat(tools.tags(bucket)).containsEntry("team", "blue");
    }

    @Test
    void objectLockIsSetWhenTheBucketIsCreated() {
        provision(BucketOptions.of(new ObjectLock(ObjectLock.Mode.GOVERNANCE, 3)));
        assertThat(gateway.s3()
                        .getObjectLockConfiguration(request -> request.bucket(bucket.text()))
                        .objectLockConfiguration()
                        .rule()
                        .defaultRetention())
                .satisfies(retention -> {
                    assertThat(retention.mode()).isEqualTo(ObjectLockRetentionMode.GOVERNANCE);
                    assertThat(retention.days()).isEqualTo(3);
                });
    }

    @Test
    void aForeignPolicyIsKeptByGrantAndRevoke() { // rook#14209, rook#16883
        tools.createBucket(bucket);
        gateway.s3().putBucketPolicy(request -> request.bucket(bucket.text()).policy(denyDeletion()));
        String before = policy();
        BucketOwner other = new BucketOwner("it-cluster", UUID.randomUUID().toString());
        for (BucketOwner guest : List.of(owner, other, owner)) {
            store.grant(call(), new GrantRequest(bucket, guest, Access.readWrite(), Set.of()));
        }
        store.revoke(call(), bucket, other);
        assertThat(policy()).isEqualTo(before);
    }

    @Test
    void foreignSettingsAreKeptByUpdateAndProvision() { // rook#16880
        provision(BucketOptions.unmanaged());
        gateway.s3().putBucketPolicy(request -> request.bucket(bucket.text()).policy(denyDeletion()));
        gateway.s3()
                .putBucketVersioning(request -> request.bucket(bucket.text())
                        .versioningConfiguration(versioning -> versioning.status(BucketVersioningStatus.ENABLED)));
        gateway.s3()
                .putBucketCors(request -> request.bucket(bucket.text())
                        .corsConfiguration(cors -> cors.corsRules(CORSRule.builder()
                                .allowedMethods("GET")
                                .allowedOrigins("https://by-hand.test")
                                .build())));
        String before = policy();
        update(new Tags(Map.of("team", "blue")));
        provision(BucketOptions.unmanaged());
        assertThat(policy()).isEqualTo(before);
        assertThat(gateway.s3()
                        .getBucketVersioning(request -> request.bucket(bucket.text()))
                        .status())
                .isEqualTo(BucketVersioningStatus.ENABLED);
        assertThat(gateway.s3()
                        .getBucketCors(request -> request.bucket(bucket.text()))
                        .corsRules())
                .hasSize(1);
    }

    private void provision(BucketOptions options) {
        store.provision(
                call(), new ProvisionRequest(bucket, Naming.GIVEN, owner, Access.readWrite(), options, Set.of()));
    }

    private void update(BucketOption option) {
        store.update(call(), new UpdateRequest(bucket, owner, Access.readWrite(), BucketOptions.of(option)));
    }

    private String policy() {
        return gateway.s3()
                .getBucketPolicy(request -> request.bucket(bucket.text()))
                .policy();
    }

    private String denyDeletion() {
        return "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":\"*\","
                + "\"Action\":[\"s3:DeleteObject\"],\"Resource\":[\"arn:aws:s3:::" + bucket + "/never/*\"]}]}";
    }

    private static StoreCall call() {
        return StoreCall.within(Duration.ofSeconds(20));
    }
}
