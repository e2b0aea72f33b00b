package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTripTest {
    static Stream<String> claims() {
        return Samples.CLAIMS.stream();
    }

    static Stream<String> buckets() {
        return Samples.BUCKETS.stream();
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aClaimIsSerializedAsItWasRead(String sample) {
        assertThat(Samples.tree(Samples.claim(sample))).isEqualTo(Samples.tree(Samples.yaml(sample)));
    }

    @ParameterizedTest
    @MethodSource("buckets")
    void aBucketIsSerializedAsItWasRead(String sample) {
        assertThat(Samples.tree(Samples.bucket(sample))).isEqualTo(Samples.tree(Samples.yaml(sample)));
    }

    @ParameterizedTest
    @MethodSource("buckets")
    void aBucketDiffersFromItsCopyOnlyInTheChangedField(String sample) {
        ObjectBucketSpec spec = Samples.bucket(sample).getSpec();
        ObjectBucketSpec copy = spec.with("secretDigest", "sha256:0");
        assertThat(copy).isNotEqualTo(spec);
        assertThat(copy)
                .usingRecursiveComparison()
                .ignoringFields("secretDigest")
                .isEqualTo(spec);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aClaimEqualsItsCopyByTheBuilder(String sample) {
        ObjectBucketClaimSpec spec = Samples.claim(sample).getSpec();
        assertThat(spec.toBuilder().build()).isEqualTo(spec);
    }

    @Test
    void unknownFieldsAreKeptByAnUpdate() {
        ObjectBucket bucket = Samples.bucket("bucket-of-tomorrow");
        bucket.setSpec(bucket.getSpec().with("secretDigest", "sha256:0"));
        bucket.setStatus(BucketStatus.of(Phase.BOUND, List.of(), 1));

        var tree = Samples.tree(bucket);
        assertThat(tree.at("/spec/tier/copies/1").asText()).isEqualTo("b");
        assertThat(tree.at("/spec/claimRef/shard").asInt()).isEqualTo(7);
        assertThat(tree.at("/spec/endpoint/protocols/0").asText()).isEqualTo("s3");
        assertThat(tree.at("/spec/objectBucketSource/build").asInt()).isEqualTo(12);
        assertThat(tree.at("/spec/intent/escrow/holder").asText()).isEqualTo("nobody");
        assertThat(tree.at("/spec/secretDigest").asText()).isEqualTo("sha256:0");
    }

    @Test
    void unknownFieldsOfTheStatusAreKept() {
        var status = Serialization.unmarshal("phase: Bound\nusage: {bytes: 5}", BucketStatus.class);
        var changed = Samples.tree(status.with(Phase.RELEASED, List.of(), 3));
        assertThat(changed.at("/usage/bytes").asInt()).isEqualTo(5);
        assertThat(changed.at("/phase").asText()).isEqualTo("Released");
    }
}
