package io.bucketwright.store.s3.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class AccessPolicyTest {

    private static final BucketName BUCKET = new BucketName("photos");

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void noModeAllowsActionsOnTheBucket(AccessMode mode) {
        assertThat(AccessPolicy.document(BUCKET, Access.of(mode)))
                .doesNotContain("PutBucket", "DeleteBucket", "CreateBucket", "Acl", "s3:*", "Policy\"", "Lifecycle")
                .doesNotContain("Retention", "LegalHold", "ListAllMyBuckets")
                .contains("arn:aws:s3:::photos");
    }

    @Test
    void writeOnlyNeitherReadsNorListsNorDeletes() {
        assertThat(AccessPolicy.document(BUCKET, Access.of(AccessMode.WRITE_ONLY)))
                .contains("s3:PutObject\"")
                .doesNotContain("GetObject", "ListBucket", "DeleteObject");
    }

    @Test
    void objectLockAddsTheLocksOfObjectsButNotTheBypass() {
        assertThat(AccessPolicy.document(BUCKET, Access.readWrite().withObjectLock(true)))
                .contains("\"s3:PutObjectRetention\"", "\"s3:PutObjectLegalHold\"")
                .contains("\"s3:GetObjectRetention\"", "\"s3:GetObjectLegalHold\"")
                .contains("\"s3:GetBucketObjectLockConfiguration\"")
                .doesNotContain("Bypass", "PutBucket");
        assertThat(AccessPolicy.document(BUCKET, Access.of(AccessMode.READ_ONLY).withObjectLock(true)))
                .contains("s3:GetObjectRetention")
                .doesNotContain("PutObject");
        assertThat(AccessPolicy.document(
                        BUCKET, Access.of(AccessMode.WRITE_ONLY).withObjectLock(true)))
                .contains("s3:PutObjectRetention")
                .doesNotContain("GetObject");
        assertThat(AccessPolicy.isPrincipalAction("s3:PutObjectRetention"))
                .as("a tenant does not give that to others")
                .isFalse();
    }

    @Test
    void aPrefixLimitsObjectsAndLists() {
        assertThat(AccessPolicy.document(BUCKET, Access.readWrite().withPrefix("team/")))
                .contains("\"arn:aws:s3:::photos/team/*\"")
                .contains("{\"s3:prefix\":[\"team/*\"]}")
                .doesNotContain("arn:aws:s3:::photos/*");
    }

    @Test
    void aPolicyThatAllowsNothingIsRejected() {
        Access nothing = Access.readWrite().withActions(Set.of(), Set.of("*"));
        assertThatThrownBy(() -> AccessPolicy.document(BUCKET, nothing)).isInstanceOf(Invalid.class);
    }

    @Test
    void anUnknownActionIsNamed() {
        Access hostile = Access.readWrite().withActions(Set.of("s3:DeleteBucket"), Set.of());
        assertThatThrownBy(() -> AccessPolicy.document(BUCKET, hostile))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("s3:DeleteBucket");
    }

    @Test
    void aWildcardAllowsTheActionsOfTheMode() {
        assertThat(AccessPolicy.document(BUCKET, Access.readWrite().withActions(Set.of("*"), Set.of())))
                .isEqualTo(AccessPolicy.document(BUCKET, Access.readWrite()));
    }

    @Test
    void arnsHaveThePartitionAndTheKeyOfTheBucketIsAllowed() {
        String key = "arn:aws-cn:kms:cn-north-1:123456789012:key/1234";
        assertThat(AccessPolicy.document("aws-cn", BUCKET, Access.readWrite(), key, false))
                .contains("\"arn:aws-cn:s3:::photos/*\"", "\"kms:GenerateDataKey\"", "\"" + key + "\"")
                .doesNotContain("arn:aws:");
        assertThat(AccessPolicy.document(BUCKET, Access.readWrite())).doesNotContain("kms:");
    }

    /** Somebody else in AWS can create a bucket of the name of a deleted one, and let everybody write to it. */
    @Test
    void onAwsBucketsOfOtherAccountsAreDeniedAndThePolicyStaysWithinTheLimitOfIam() {
        BucketName longest = new BucketName("b".repeat(63));
        String key = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/mrk-1234567890abcdef1234567890abcdef";
        String policy =
                AccessPolicy.document("aws-us-gov", longest, Access.readWrite().withObjectLock(true), key, true);
        assertThat(policy)
                .contains("{\"StringNotEquals\":{\"aws:ResourceAccount\":\"${aws:PrincipalAccount}\"}}", "\"Deny\"");
        assertThat(policy.length())
                .as("the limit of all inline policies of a user")
                .isLessThan(2_048);
        assertThat(AccessPolicy.document(BUCKET, Access.readWrite())).doesNotContain("Deny");
    }

    /** AWS would report the limit of a quota that nobody can raise. */
    @Test
    void aPolicyThatIsTooLongForIamIsRefusedWithTheReason() {
        BucketName old = new BucketName("b".repeat(255));
        Access deep = Access.readWrite().withPrefix("p".repeat(256));
        assertThatThrownBy(() -> AccessPolicy.document("aws-us-gov", old, deep, "", true))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("the bucket's name and prefix are too long for an IAM policy")
                .hasMessageContaining("2048");
        assertThat(AccessPolicy.document("aws-us-gov", old, Access.readWrite(), "", true))
                .hasSizeLessThanOrEqualTo(2_048);
        assertThat(AccessPolicy.document("aws-us-gov", old, deep, "", false)).hasSizeGreaterThan(1_500);
    }
}
