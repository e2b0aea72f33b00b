package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceKindTest {

    private final ResourceKind<ConfigMap> maps = ResourceKind.of(ConfigMap.class);

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "../secrets/x", "%2e%2e", "a%"})
    void aNameThatCannotBePartOfAPathIsInvalid(String name) {
        assertThatThrownBy(() -> maps.path("ns", name))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.error()).isInstanceOf(ApiError.Invalid.class));
        assertThatThrownBy(() -> ResourceKind.of(PersistentVolume.class).path("", name))
                .isInstanceOf(ApiException.class);
        if (!name.isEmpty()) {
            assertThatThrownBy(() -> maps.path(name, "a")).isInstanceOf(ApiException.class);
            assertThatThrownBy(() -> maps.collection(name)).isInstanceOf(ApiException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a.b-c, a.b-c",
        "a?watch=true, a%3Fwatch%3Dtrue",
        "a b, a%20b",
        "a#b, a%23b",
        "a&b+c, a%26b%2Bc",
        "ü, %C3%BC"
    })
    void anyOtherNameNamesOneObject(String name, String segment) {
        assertThat(maps.path("ns", name)).isEqualTo("api/v1/namespaces/ns/configmaps/" + segment);
    }
}
