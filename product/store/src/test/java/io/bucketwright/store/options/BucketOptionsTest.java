package io.bucketwright.store.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BucketOptionsTest {

    @Test
    void theLowerOfSeveralQuotasWins() {
        BucketOptions options = BucketOptions.parse(
                Map.of("maxSize", "10Gi", "bucketMaxSize", "5G", "maxObjects", "1000", "bucketMaxObjects", "2k"));
        assertThat(options.all()).containsExactly(new Quota(5_000_000_000L, 1000));
    }

    @Test
    void whatIsNotSetIsNotManaged() {
        assertThat(BucketOptions.parse(Map.of()).isEmpty()).isTrue();
        assertThat(BucketOptions.parse(Map.of("maxObjects", "5")).find(Quota.class))
                .contains(new Quota(Quota.UNLIMITED, 5));
    }

    @Test
    void everySpellingIsParsed() {
        assertThat(BucketOptions.parse(Map.of(
                                "bucketVersioning", "Enabled",
                                "versioned", "true",
                                "objectLock", "governance:30",
                                "cannedBucketACL", "BucketCannedACLPublicRead",
                                "anonymousAccessMode", "publicReadWrite",
                                "tags", "team=blue, cost=42"))
                        .all())
                .containsExactlyInAnyOrder(
                        new Versioning(true),
                        new ObjectLock(ObjectLock.Mode.GOVERNANCE, 30),
                        CannedAcl.PUBLIC_READ,
                        AnonymousAccess.READ_WRITE,
                        new Tags(Map.of("team", "blue", "cost", "42")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bucketOwner|tenant$user",
                "bucketclass|gold",
                "maxsize|1",
                "maxSize|-1",
                "maxSize|1.5",
                "maxSize|ten",
                "maxSize|10GB",
                "maxSize|9Ei",
                "maxSize|99999999999999999999999999999999999999999999",
                "versioning|yes",
                "objectLock|governance",
                "objectLock|governance:0",
                "objectLock|compliance:x",
                "policy|not json",
                "lifecycle|''",
                "tags|blue",
                "tags|a=1,a=2",
                "tags|bucketwright.io/owner=me",
                "tags|BucketWright.IO/owner=me",
                "cannedAcl|open",
                "anonymousAccess|open"
            })
    void invalidValuesAreRejectedByName(String key, String value) {
        assertThatThrownBy(() -> BucketOptions.parse(Map.of(key, value))).isInstanceOf(Invalid.class);
    }

    @Test
    void anUnknownOptionIsNamed() {
        assertThatThrownBy(() -> BucketOptions.parse(Map.of("maxsize", "1")))
                .hasMessageContaining("\"maxsize\" is unknown")
                .hasMessageContaining("maxSize");
    }

    @Test
    void contradictorySpellingsAreRejected() {
        assertThatThrownBy(() -> BucketOptions.parse(Map.of("versioned", "true", "versioning", "false")))
                .isInstanceOf(Invalid.class);
    }

    @Test
    void aClaimCanOnlyRestrictTheOptionsOfItsClass() {
        BucketOptions ofClass =
                BucketOptions.parse(Map.of("maxSize", "10Gi", "versioning", "true", "tags", "team=blue"));
        AllowedOptions allowed = AllowedOptions.parse("versioning, tags");
        assertThat(ofClass.narrowedBy(BucketOptions.parse(Map.of("maxSize", "99Gi", "maxObjects", "5")), allowed)
                        .find(Quota.class))
                .contains(new Quota(10L << 30, 5));
        assertThat(ofClass.narrowedBy(BucketOptions.parse(Map.of("tags", "app=x")), allowed)
                        .find(Tags.class))
                .contains(new Tags(Map.of("team", "blue", "app", "x")));
        assertThatThrownBy(() -> ofClass.narrowedBy(BucketOptions.parse(Map.of("versioning", "false")), allowed))
                .isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> ofClass.narrowedBy(BucketOptions.parse(Map.of("tags", "team=red")), allowed))
                .isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> ofClass.narrowedBy(BucketOptions.parse(Map.of("policy", "{}")), allowed))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("policy");
    }

    /** The default would be dropped, and the claim bound to a bucket that it says it does not want. */
    @ParameterizedTest
    @CsvSource({
        "versioning, false, objectLock, enabled",
        "versioned, false, objectLock, governance:1",
        "cannedBucketACL, private, anonymousAccess, ro",
        "anonymousAccess, private, cannedAcl, public-read"
    })
    void aClaimThatContradictsItselfIsInvalid(String key, String value, String otherKey, String otherValue) {
        BucketOptions claim = BucketOptions.parse(Map.of(key, value, otherKey, otherValue));
        AllowedOptions allowed = AllowedOptions.parse("versioning, objectLock, cannedAcl, anonymousAccess");
        assertThatThrownBy(() -> BucketOptions.unmanaged().narrowedBy(claim, allowed))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("of the same claim")
                .hasMessageContaining(claim.all().getFirst().needs().text())
                .hasMessageContaining(claim.all().getLast().needs().text());
    }

    @Test
    void defaultsDoNotContradictEachOther() {
        BucketOptions claim = BucketOptions.parse(
                Map.of("versioned", "false", "cannedBucketACL", "private", "anonymousAccess", "private"));
        assertThat(BucketOptions.unmanaged()
                        .narrowedBy(claim, AllowedOptions.parse(""))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void onlyQuotasAreAllowedByDefault() {
        AllowedOptions usual = AllowedOptions.parse("");
        assertThat(usual.allows(Capability.QUOTA)).isTrue();
        assertThat(usual.allows(Capability.PREFIX)).isFalse();
        assertThatThrownBy(() -> AllowedOptions.parse("quotas"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("quota");
        assertThatThrownBy(() -> new AllowedOptions(Set.of(Capability.ROTATE))).isInstanceOf(Invalid.class);
    }

    @Test
    void unsupportedOptionsAreNamed() {
        assertThatThrownBy(() ->
                        BucketOptions.of(new Quota(1, 1), new Versioning(true)).requireAll(Set.of()))
                .isInstanceOf(Unsupported.class)
                .hasMessageContaining("quota, versioning");
    }
}
