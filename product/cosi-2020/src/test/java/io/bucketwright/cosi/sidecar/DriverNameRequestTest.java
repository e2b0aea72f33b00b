package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.fixture.V1alpha2StubDriver;
import io.bucketwright.cosi.fixture.VendorDriver;
import io.bucketwright.cosi.sidecar.released.ReleasedSidecar;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverNameRequestTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void aDriverReportsItsName() {
        try (VendorDriver driver = new VendorDriver("released.test")) {
            assertThat(ReleasedSidecar.requestDriverName(driver.endpoint(), LONG))
                    .isEqualTo("released.test");
        }
    }

    @Test
    void aDriverOfV1alpha2IsRefusedWithOneSentence() {
        try (V1alpha2StubDriver driver = new V1alpha2StubDriver("next.test")) {
            assertThatThrownBy(() -> ReleasedSidecar.requestDriverName(driver.endpoint(), LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The driver at " + driver.endpoint() + " speaks sigs.k8s.io.cosi.v1alpha2, which is not"
                            + " released: run a version of the driver that speaks cosi.v1alpha1.");
        }
    }

    @Test
    void aDriverWithoutANameIsRefused() {
        try (VendorDriver driver = new VendorDriver("")) {
            assertThatThrownBy(() -> ReleasedSidecar.requestDriverName(driver.endpoint(), LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith("reports no name. Set the name that its classes have.");
        }
    }

    @Test
    void aDriverThatDoesNotListenIsWaitedForNotLonger(@TempDir Path folder) {
        String endpoint = "unix://" + folder.resolve("cosi.sock");
        assertThatThrownBy(() -> ReleasedSidecar.requestDriverName(endpoint, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "The driver at " + endpoint + " did not report its name within 1 s: DEADLINE_EXCEEDED. Check"
                                + " the driver and its socket.");
    }
}
