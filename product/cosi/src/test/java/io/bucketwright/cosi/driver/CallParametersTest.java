package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallParametersTest {

    private static final Map<String, String> DRIVER = Map.of("endpoint", "https://s3.test", "region", "eu-1");

    @Test
    void aClassMayRepeatAParameterOfTheDriver() {
        assertThat(CallParameters.of(DRIVER, Map.of("region", "eu-1")).store()).isEqualTo(DRIVER);
    }

    @Test
    void aClassThatContradictsTheDriverIsRefusedWithWhatToChange() {
        assertThatThrownBy(() -> CallParameters.of(DRIVER, Map.of("region", "us-east-1")))
                .isInstanceOf(Invalid.class)
                .hasMessageContainingAll(
                        "\"region\"", "--param", "remove it from the class", "spec.parameters of a Bucket");
    }
}
