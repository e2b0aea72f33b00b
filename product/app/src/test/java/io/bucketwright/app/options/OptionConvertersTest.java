package io.bucketwright.app.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Values of flags. */
class OptionConvertersTest {

    @ParameterizedTest
    @CsvSource({"0s,PT0S", "15s,PT15S", "2m,PT2M", "1h30m,PT1H30M", "48h,PT48H"})
    void durationsAreWrittenAsInKubernetes(String text, Duration duration) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(duration);
        assertThat(DurationConverter.format(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "PT15S", "-15s", "1.5s", "1d", "30m1h", "99999999999999999999h"})
    void otherTextIsNotADuration(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageEndingWith("is not a duration such as 15s, 2m or 1h30m");
    }

    @Test
    void anAddressIsHostAndPort() {
        assertThat(AddedOption.parseAddress("[::1]:8080"))
                .satisfies(address -> assertThat(address.getPort()).isEqualTo(8080))
                .satisfies(address ->
                        assertThat(address.getAddress().isLoopbackAddress()).isTrue());
    }

    /** As in Go. Java takes an empty host for the loopback address, which probes of the kubelet cannot reach. */
    @Test
    void anAddressWithoutHostIsAllInterfaces() {
        assertThat(AddedOption.parseAddress(":8080"))
                .satisfies(address -> assertThat(address.getPort()).isEqualTo(8080))
                .satisfies(address ->
                        assertThat(address.getAddress().isAnyLocalAddress()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8080", "localhost", "localhost:", "localhost:http", "localhost:70000", "localhost:-1"})
    void otherTextIsNotAnAddress(String text) {
        assertThatThrownBy(() -> AddedOption.parseAddress(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("\"" + text + "\" is not HOST:PORT");
    }

    @Test
    void aLeaseLastsAtLeastOneSecond() {
        assertThat(AddedOption.parseLeaseTiming("3s").lease()).isEqualTo(Duration.ofSeconds(3));
        assertThatThrownBy(() -> AddedOption.parseLeaseTiming("0s")).isInstanceOf(TypeConversionException.class);
    }
}
