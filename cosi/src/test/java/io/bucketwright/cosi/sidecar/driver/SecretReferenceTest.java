package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.cosi.sidecar.Sample;


import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketSpec;
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
        "${bucket.name}, '', store/bucket-photos-team",
        "${bucket.name}-key, ${bucket.namespace}, team/bucket-photos-team-key",
        "'', vault, wrong",
        "Admin, '', wrong",
        "../admin, '', wrong",
        "${bucket.color}, '', wrong",
        "admin, ${bucket.color}, wrong",
    })
    void aClassNamesASecretOrNone(String name, String namespace, String expected) {
        assertThat(words(Sample.bucket(spec -> spec.parameters(parameters(name, namespace)))))
                .isEqualTo(expected);
    }

    @Test
    void theNamespaceOfABucketThatNobodyRequestedIsAnError() {
        Bucket bucket = Sample.bucket(_ -> BucketSpec.builder()
                .provisioner(Sample.PROVISIONER.toString())
                .protocol(Sample.protocol(""))
                .parameters(parameters("admin", "${bucket.namespace}")));
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
        return switch (SecretReference.of(bucket, Sample.PROVISIONER)) {
            case SecretReference.Unneeded() -> "none";
            case SecretReference.Named named -> named.toString();
            case SecretReference.Wrong(String message) -> {
                assertThat(message).contains("cosi.io/provisioner-secret-");
                yield "wrong";
            }
        };
    }
}
