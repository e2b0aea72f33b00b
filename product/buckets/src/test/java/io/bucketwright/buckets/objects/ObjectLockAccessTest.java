package io.bucketwright.buckets.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.Capability;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who gets a bucket with object lock may lock its objects. */
class ObjectLockAccessTest {

    private static ClaimOptions read(Map<String, String> ofClass, Map<String, String> ofClaim) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(
                new ObjectMetaBuilder().withNamespace("team").withName("mine").build());
        claim.setSpec(ObjectBucketClaimSpec.builder().additionalConfig(ofClaim).build());
        return ClaimOptions.read(claim, bucketClass(ofClass), BucketOrigin.NEW);
    }

    private static BucketClass bucketClass(Map<String, String> parameters) {
        return BucketClass.read(new BucketClassRef("fast", "uid", parameters), "Delete");
    }

    @Test
    void theAccessIncludesLocksIfTheClassOrTheClaimEnablesObjectLock() {
        assertThat(read(Map.of("objectLock", "enabled"), Map.of()).access().objectLock())
                .isTrue();
        assertThat(read(Map.of("allowedOptions", "objectLock"), Map.of("objectLock", "governance:7"))
                        .access()
                        .objectLock())
                .isTrue();
        assertThat(read(Map.of("allowedOptions", "objectLock"), Map.of())
                        .access()
                        .objectLock())
                .isFalse();
    }

    @Test
    void claimsThatWereBoundBeforeGetTheAccessWithOneUpdateAndOthersNeedNone() {
        assertThat(read(Map.of("objectLock", "enabled"), Map.of()).digest())
                .isNotEqualTo(read(Map.of(), Map.of()).digest());
        assertThat(read(Map.of("allowedOptions", "objectLock"), Map.of()).digest())
                .isEqualTo(read(Map.of(), Map.of()).digest());
    }

    @Test
    void aClaimWhoseOptionsBecameInvalidKeepsTheAccess() {
        BucketClass any = bucketClass(Map.of());
        AppliedOptions locked = new AppliedOptions(Set.of(Capability.OBJECT_LOCK), Set.of());
        AppliedOptions none = new AppliedOptions(Set.of(), Set.of());
        assertThat(ClaimOptions.former(Map.of(), any, locked, "").access().objectLock())
                .isTrue();
        assertThat(ClaimOptions.former(Map.of(), any, none, "").access().objectLock())
                .isFalse();
    }
}
