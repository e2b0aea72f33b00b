package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.parameters.Parameters;
import io.bucketwright.store.s3.client.S3Parameters;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class S3StoreFactoryTest {

    private final S3StoreFactory factory = new S3StoreFactory();

    /** Lists cost money there. */
    @ParameterizedTest
    @CsvSource({
        "region, eu-central-1, '', false",
        "region, eu-central-1, true, true",
        "endpoint, http://127.0.0.1:1, '', true",
        "endpoint, http://127.0.0.1:1, false, false"
    })
    void onAwsTheUsageIsMeasuredOnlyIfTheClassSaysSo(String key, String value, String measure, boolean measured) {
        Map<String, String> parameters = new HashMap<>(Map.of(key, value));
        if (!measure.isEmpty()) {
            parameters.put("measureUsage", measure);
        }
        assertThat(S3Parameters.of(S3Parameters.schema().parse(parameters))
                        .unsupported()
                        .contains(Capability.USAGE))
                .isEqualTo(!measured);
    }

    /** A bound bucket keeps them when its class names the same store in another way. */
    @ParameterizedTest
    @CsvSource({
        "'objectStoreName=a,objectStoreNamespace=b', ceph, aws, false",
        "'region=cn-north-1', iam, aws-cn, true",
        "'endpoint=http://127.0.0.1:1', iam, aws, false",
        "'endpoint=http://127.0.0.1:1,identity=minio,partition=aws-us-gov', minio, aws-us-gov, false"
    })
    void whatDependsOnTheEndpointIsImplied(String given, String identity, String partition, String aws) {
        Map<String, String> raw = new HashMap<>();
        for (String parameter : given.split(",", -1)) {
            String[] pair = parameter.split("=", 2);
            raw.put(pair[0], pair[1]);
        }
        Parameters parameters = factory.parameters().parse(raw);
        Map<String, String> implied = factory.implied(parameters);
        assertThat(implied)
                .containsEntry("identity", identity)
                .containsEntry("partition", partition)
                .containsEntry("publicAccessBlock", aws)
                .containsKeys("measureUsage", "keyPropagation");
        implied.forEach(raw::putIfAbsent);
        assertThat(S3Parameters.of(factory.parameters().parse(raw)))
                .usingRecursiveComparison()
                .isEqualTo(S3Parameters.of(parameters));
    }

    @Test
    void theFactoryIsInstalled() {
        try (Stores stores = Stores.installed()) {
            assertThat(stores.names()).contains("s3", "none");
        }
    }

    @Test
    void theEndpointAndTheCredentialsAreRequired() {
        assertThatThrownBy(() -> factory.parameters().parse(Map.of()))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("endpoint");
        Parameters parameters = factory.parameters().parse(Map.of("endpoint", "https://s3.example.com"));
        assertThatThrownBy(() -> factory.open(parameters, AdministratorSecret.none()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("AWS_ACCESS_KEY_ID");
    }

    @Test
    void anInvalidParameterIsNamed() {
        assertThatThrownBy(() -> factory.parameters().parse(Map.of("endpoint", "https://a", "endpont", "x")))
                .hasMessageContaining("\"endpont\" is unknown; did you mean endpoint?");
        assertThatThrownBy(() -> factory.parameters().parse(Map.of("endpoint", "ftp://a")))
                .hasMessageContaining("parameter endpoint");
        assertThatThrownBy(() -> factory.parameters().parse(Map.of("endpoint", "https://a", "caBundle", "no")))
                .hasMessageContaining("parameter caBundle");
        assertThatThrownBy(() -> factory.parameters().parse(Map.of("endpoint", "https://a", "pathStyle", "yes")))
                .hasMessageContaining("must be true or false");
    }

    @Test
    void quotasAndUnsupportedOptionsAreNoCapabilities() {
        Parameters parameters = factory.parameters()
                .parse(Map.of("endpoint", "https://s3.example.com", "unsupportedOptions", "lifecycle, cors"));
        try (CompleteStore store = factory.open(parameters, LoopbackServer.administrator())) {
            assertThat(store.capabilities())
                    .doesNotContain(Capability.QUOTA, Capability.LIFECYCLE, Capability.CORS)
                    .contains(Capability.VERSIONING, Capability.ROTATE);
        }
    }
}
