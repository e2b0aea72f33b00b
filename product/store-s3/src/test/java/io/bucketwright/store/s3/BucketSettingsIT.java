package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.options.Capability;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Options of a bucket are set, and settings without an option are left unchanged. */
@ResourceLock(value = "gateway", mode = ResourceAccessMode.READ)
final class BucketSettingsIT extends GatewayTest {

    BucketSettingsIT(Gateway gateway) {
        super(gateway);
    }

    @Test
    void optionsAreSet() {
        provision();
        update(new Versioning(true));
        update(Cors.parse("{\"CORSRules\":[{\"AllowedMethods\":[\"GET\"],\"AllowedOrigins\":[\"https://a.test\"]}]}"));
        update(new Policy(denial("s3:DeleteObject")));
        update(new Tags(Map.of("team", "blue")));
        assertThat(versioning()).isEqualTo(BucketVersioningStatus.ENABLED);
        assertThat(corsRules()).extracting(CORSRule::allowedOrigins).containsExactly(List.of("https://a.test"));
        assertThat(policy()).contains("s3:DeleteObject");
        assertThat(tools.tags(bucket)).containsEntry("team", "blue");
    }

    @Test
    void objectLockIsSetWhenTheBucketIsCreated() {
        provision(new ObjectLock(ObjectLock.Mode.GOVERNANCE, 3));
        assertThat(s3.getObjectLockConfiguration(request -> request.bucket(bucket.text()))
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
        putPolicyByHand("s3:DeleteObject");
        String before = policy();
        BucketOwner other = new BucketOwner("it-cluster", UUID.randomUUID().toString());
        for (BucketOwner guest : List.of(owner, other, owner)) {
            store.grant(call(), grantRequest(bucket, guest));
        }
        store.revoke(call(), bucket, other);
        assertThat(policy()).isEqualTo(before);
    }

    @Test
    void foreignSettingsAreKeptByUpdateAndProvision() { // rook#16880
        provision();
        putPolicyByHand("s3:DeleteObject");
        s3.putBucketVersioning(request -> request.bucket(bucket.text())
                .versioningConfiguration(versioning -> versioning.status(BucketVersioningStatus.ENABLED)));
        s3.putBucketCors(request -> request.bucket(bucket.text())
                .corsConfiguration(cors -> cors.corsRules(CORSRule.builder()
                        .allowedMethods("GET")
                        .allowedOrigins("https://by-hand.test")
                        .build())));
        String before = policy();
        update(new Tags(Map.of("team", "blue")));
        provision();
        assertThat(policy()).isEqualTo(before);
        assertThat(versioning()).isEqualTo(BucketVersioningStatus.ENABLED);
        assertThat(corsRules()).hasSize(1);
    }

    @Test
    void aPolicyThatReplacedThatOfAnOptionIsKept() {
        provision(new Policy(denial("s3:DeleteObject")));
        AppliedOptions applied = new AppliedOptions(Set.of(Capability.POLICY, Capability.ANONYMOUS_ACCESS), Set.of());
        putPolicyByHand("s3:PutObject");
        String byHand = policy();
        store.update(call(), UpdateRequest.removing(bucket, owner, applied));
        assertThat(policy()).isEqualTo(byHand);
        update(new Policy(denial("s3:DeleteObject")));
        store.update(call(), UpdateRequest.removing(bucket, owner, applied));
        assertThatThrownBy(this::policy).isInstanceOf(S3Exception.class);
    }

    private void update(BucketOption option) {
        update(Access.readWrite(), option);
    }

    private String policy() {
        return s3.getBucketPolicy(request -> request.bucket(bucket.text())).policy();
    }

    private BucketVersioningStatus versioning() {
        return s3.getBucketVersioning(request -> request.bucket(bucket.text())).status();
    }

    private List<CORSRule> corsRules() {
        return s3.getBucketCors(request -> request.bucket(bucket.text())).corsRules();
    }
}
