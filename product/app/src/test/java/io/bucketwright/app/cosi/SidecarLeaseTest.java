package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The Lease of a sidecar, by its flags. */
class SidecarLeaseTest {

    @ParameterizedTest
    @CsvSource({
        "--provisioner=store/s3.example.com, store/cosi-sidecar-s3.example.com",
        "--provisioner=store/s3.example.com --lease-namespace=leases, leases/cosi-sidecar-s3.example.com",
        "--driver-name=s3.example.com, own/s3-example-com-cosi",
        "--driver-name=s3.example.com --lease-namespace=leases, leases/s3-example-com-cosi"
    })
    void theLeaseIsInTheNamespaceOfItsFlagOrOfTheProvisionerOrOfThePod(String flags, String lease) {
        SidecarCommand command = new SidecarCommand();
        new CommandLine(command)
                .parseArgs(Stream.concat(Stream.of("--with-driver", "--store=none"), Stream.of(flags.split(" ", -1)))
                        .toArray(String[]::new));
        try (ControllerProcess process = ClientOptions.config(
                        ControllerProcess.builder(),
                        new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build())
                .build()) {
            command.addControllers(process, "own");
            assertThat(process.metrics()).contains("bucketwright_leader{lease=\"" + lease + "\",");
        }
    }
}
