package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeserializationTest {
    @ParameterizedTest
    @CsvSource({
        "Pending, PENDING",
        "bound, BOUND",
        "Bound, BOUND",
        "RELEASED, RELEASED",
        "failed, FAILED",
        "'', PENDING",
        ", PENDING",
        "lost, PENDING"
    })
    void aPhaseIsParsedInEitherSpellingAndDefaultsToPending(String text, Phase phase) {
        assertThat(Phase.of(text)).isEqualTo(phase);
    }

    @Test
    void aClaimWithoutStatusIsPending() {
        assertThat(new ObjectBucketClaim().phase()).isEqualTo(Phase.PENDING);
        assertThat(new ObjectBucket().phase()).isEqualTo(Phase.PENDING);
        assertThat(Samples.claim("claim-of-the-design-documents").phase()).isEqualTo(Phase.BOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "spec: null", "spec: {}", "spec: {storageClassName: null, additionalConfig: null}"})
    void aSpecThatIsAbsentIsEmpty(String yaml) {
        assertThat(Serialization.unmarshal(yaml, ObjectBucketClaim.class)
                        .getSpec()
                        .storageClass())
                .isEmpty();
        assertThat(Serialization.unmarshal(yaml, ObjectBucket.class).getSpec().recordedIntent())
                .isEmpty();
    }

    @Test
    void emptyStringsAreAbsent() {
        ObjectBucketClaimSpec spec = Samples.claim("rook-claim-existing-bucket").getSpec();
        assertThat(spec.bucketPrefix()).isEmpty();
        assertThat(spec.bucket()).contains("archive-of-2019");
        assertThat(spec.objectBucket()).contains("obc-gallery-archive");
        assertThat(spec.options()).isEmpty();
        assertThat(spec.tls()).isEmpty();
    }

    @Test
    void bothSpellingsOfSslAreParsed() {
        assertThat(claimSpec("SSL: true").tls()).contains(true);
        assertThat(claimSpec("ssl: false").tls()).contains(false);
        assertThat(claimSpec("versioned: true").tls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "private, PRIVATE", "BucketCannedACLPrivate, PRIVATE",
        "public-read, PUBLIC_READ", "BucketCannedACLPublicRead, PUBLIC_READ",
        "public-read-write, PUBLIC_READ_WRITE", "BucketCannedACLPublicReadWrite, PUBLIC_READ_WRITE",
        "authenticated-read, AUTHENTICATED_READ", "BucketCannedACLAuthenticatedRead, AUTHENTICATED_READ"
    })
    void aCannedAclIsParsedByBothNames(String text, CannedAcl acl) {
        assertThat(claimSpec("cannedBucketACL: " + text).acl()).contains(acl);
        assertThat(text).matches(CannedAcl.PATTERN);
    }

    @Test
    void anUnknownCannedAclIsAbsent() {
        assertThat(claimSpec("cannedBucketACL: everybody").acl()).isEmpty();
        assertThat("everybody").doesNotMatch(CannedAcl.PATTERN);
    }

    @Test
    void optionsThatAreNotStringsAreReadAsText() {
        assertThat(claimSpec("additionalConfig: {size: 5, nested: {a: [1]}, on: true, nothing: null, text: x}")
                        .options())
                .containsExactly(
                        entry("size", "5"),
                        entry("nested", "{\"a\":[1]}"),
                        entry("on", "true"),
                        entry("nothing", ""),
                        entry("text", "x"));
    }

    @Test
    void additionalConfigWinsOverAdditionalConfigData() {
        assertThat(Samples.bucket("bucket-of-ours")
                        .getSpec()
                        .reachableAt()
                        .orElseThrow()
                        .config())
                .containsOnly(entry("TENANT", "a"), entry("ZONE", "c"));
    }

    @Test
    void anUnknownReclaimPolicyIsAbsent() {
        assertThat(ReclaimPolicy.of("Erase")).contains(ReclaimPolicy.ERASE);
        assertThat(ReclaimPolicy.of("Recycle")).isEmpty();
        assertThat(ReclaimPolicy.of("delete")).isEmpty();
        assertThat(ReclaimPolicy.of(null)).isEmpty();
    }

    private static ObjectBucketClaimSpec claimSpec(String yaml) {
        return Serialization.unmarshal(yaml, ObjectBucketClaimSpec.class);
    }
}
