package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.bench.V1alpha2StubDriver;
import io.bucketwright.cosi.bench.VendorDriver;
import io.bucketwright.cosi.sidecar.released.ReleasedSidecar;
import io.bucketwright.cosi.v1alpha2.sidecar.V1alpha2Sidecar;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverNameRequestTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void aDriverReportsItsNameInItsDialect() {
        try (VendorDriver released = new VendorDriver("released.test");
                V1alpha2StubDriver next = new V1alpha2StubDriver("next.test")) {
            assertThat(ReleasedSidecar.requestDriverName(released.endpoint(), LONG))
                    .isEqualTo("released.test");
            assertThat(V1alpha2Sidecar.requestDriverName(next.endpoint(), LONG)).isEqualTo("next.test");
            assertThatThrownBy(() -> V1alpha2Sidecar.requestDriverName(released.endpoint(), LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The driver at " + released.endpoint() + " does not speak sigs.k8s.io.cosi.v1alpha2."
                            + " Run a version of it that does, or serve v1alpha1.");
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
