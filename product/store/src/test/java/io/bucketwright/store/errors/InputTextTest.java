package io.bucketwright.store.errors;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputTextTest {

    @ParameterizedTest
    @CsvSource({"0009", "000a", "001b", "0085", "009b", "0022", "200b", "202e", "2028", "2029", "fffe"})
    void whatChangesATerminalOrALineIsEscaped(String point) {
        String text = "a" + Character.toString(Integer.parseInt(point, 16)) + "b";
        assertThat(InputText.quote(text)).isEqualTo("\"a\\u" + point + "b\"");
    }
}
