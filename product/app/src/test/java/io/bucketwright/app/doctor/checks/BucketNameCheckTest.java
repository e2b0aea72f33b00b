package io.bucketwright.app.doctor.checks;

import static io.bucketwright.app.doctor.checks.SampleCluster.storageClass;
import static io.bucketwright.app.doctor.checks.SampleCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.app.doctor.observation.ParsedClass;
import io.bucketwright.buckets.classes.BucketClass;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketNameCheckTest {

    private static final String WARNING = "warning AnyBucketName StorageClass fast";

    private final SampleCluster cluster = new SampleCluster();

    @ParameterizedTest
    @CsvSource({
        "region, us-east-1, true",
        "namePrefix, apps-, false",
        "allowedBucketNames, ${namespace}.*, false",
        "bucketName, shared, false"
    })
    void aClassOfSeveralNamespacesThatAllowsAnyNameIsAWarning(String parameter, String value, boolean warned) {
        StorageClass fast = storageClass("fast", "bucketwright.io/bucket");
        BucketClass parsed = BucketClass.read(new BucketClassRef("fast", "uid", Map.of(parameter, value)), "Delete");
        cluster.classes.add(new ParsedClass(fast, "s3", Optional.of(parsed), ""));
        cluster.add(claim("web"));
        assertThat(cluster.findings()).as("one namespace").doesNotContain(WARNING);
        cluster.add(claim("shop"));
        assertThat(cluster.findings().contains(WARNING)).isEqualTo(warned);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void claimsThatNameNoClassUseTheDefault(boolean isDefault) {
        StorageClass fast = storageClass("fast", "bucketwright.io/bucket");
        fast.getMetadata().setAnnotations(Map.of("bucketwright.io/default-bucket-class", "" + isDefault));
        BucketClass parsed = BucketClass.read(new BucketClassRef("fast", "uid", Map.of()), "Delete");
        cluster.classes.add(new ParsedClass(fast, "s3", Optional.of(parsed), ""));
        cluster.add(claim("web"));
        ObjectBucketClaim unnamed = claim("shop");
        unnamed.setSpec(
                ObjectBucketClaimSpec.builder().generateBucketName("photos").build());
        cluster.add(unnamed);
        assertThat(cluster.findings().contains(WARNING)).isEqualTo(isDefault);
    }

    private static ObjectBucketClaim claim(String namespace) {
        return yaml(ObjectBucketClaim.class, """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {namespace: %s, name: photos, uid: uid-of-%1$s, creationTimestamp: "2026-11-01T00:00:00Z"}
                spec: {storageClassName: fast, generateBucketName: photos}
                """.formatted(namespace));
    }
}
