package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretReferenceTest {

    @ParameterizedTest
    @CsvSource({
        "'', '', none",
        "admin, '', store/admin",
        "admin, vault, vault/admin",
        "${bucket.name}, '', store/team.photos",
        "${bucket.name}-key, ${bucket.namespace}, team/team.photos-key",
        "'', vault, wrong",
        "Admin, '', wrong",
        "../admin, '', wrong",
        "${bucket.color}, '', wrong",
        "admin, ${bucket.color}, wrong",
    })
    void aClassNamesASecretOrNone(String name, String namespace, String expected) {
        assertThat(words(SidecarSamples.bucket(spec -> Specs.with(spec, "parameters", parameters(name, namespace)))))
                .isEqualTo(expected);
    }

    @Test
    void twoRequestsWhoseBucketsHaveAmbiguousNamesNeverShareASecret() {
        assertThat(words(requestedBy("b-c", "a"))).isEqualTo("store/b-c.a");
        assertThat(words(requestedBy("c", "a-b"))).isEqualTo("store/c.a-b");
    }

    @Test
    void theSecretOfTheAccessClassWinsForItsAccess() {
        Bucket bucket = SidecarSamples.bucket(spec -> Specs.with(spec, "parameters", parameters("of-buckets", "")));
        BucketAccess own = SidecarSamples.access(
                access -> access.setSpec(Specs.with(access.getSpec(), "parameters", parameters("of-accesses", ""))));
        assertThat(SecretReference.of(own, bucket, SidecarSamples.PROVISIONER))
                .isEqualTo(new SecretReference.Named("store", "of-accesses"));
        assertThat(SecretReference.of(SidecarSamples.access(_ -> {}), bucket, SidecarSamples.PROVISIONER))
                .isEqualTo(new SecretReference.Named("store", "of-buckets"));
    }

    private static Bucket requestedBy(String namespace, String name) {
        return SidecarSamples.bucket(spec -> Specs.with(
                spec,
                "bucketRequest",
                new BucketRequestRef(namespace, name, "uid"),
                "parameters",
                parameters("${bucket.name}", "")));
    }

    @Test
    void theNamespaceOfABucketThatNobodyRequestedIsAnError() {
        Bucket bucket = SidecarSamples.bucket(_ -> Specs.of(
                BucketSpec.class,
                "provisioner",
                SidecarSamples.PROVISIONER.toString(),
                "protocol",
                SidecarSamples.protocol(""),
                "parameters",
                parameters("admin", "${bucket.namespace}")));
        assertThat(words(bucket)).isEqualTo("wrong");
    }

    private static Map<String, String> parameters(String name, String namespace) {
        Map<String, String> parameters = new HashMap<>();
        if (!name.isEmpty()) {
            parameters.put("cosi.io/provisioner-secret-name", name);
        }
        if (!namespace.isEmpty()) {
            parameters.put("cosi.io/provisioner-secret-namespace", namespace);
        }
        return parameters;
    }

    private static String words(Bucket bucket) {
        return switch (SecretReference.of(bucket, SidecarSamples.PROVISIONER)) {
            case SecretReference.None() -> "none";
            case SecretReference.Named named -> named.toString();
            case SecretReference.Invalid(String message) -> {
                assertThat(message).contains("cosi.io/provisioner-secret-");
                yield "wrong";
            }
        };
    }
}
