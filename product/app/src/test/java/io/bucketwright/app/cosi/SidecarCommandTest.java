package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.app.StubApiServer;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The sidecar by its flags, on an API server that serves some versions of {@code objectstorage.k8s.io}. */
class SidecarCommandTest {

    private static final String GROUP = "GET /apis/objectstorage.k8s.io/";

    @AutoClose
    private final StubApiServer server = new StubApiServer();

    @Test
    void definitionsOfV1alpha2AreRefusedBeforeTheDriverIsWaitedFor() {
        server.answer(GROUP + "v1alpha2", 200, "{}");
        assertThatThrownBy(() -> addControllers())
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("are those of v1alpha2, which is not released")
                .hasMessageContaining("serves v1alpha1");
    }

    @Test
    void definitionsOfTheReleasedVersionAreServed() {
        server.answer(GROUP + "v1alpha1", 200, "{}");
        assertThatCode(() -> addControllers("--driver-name", "d")).doesNotThrowAnyException();
    }

    /** The Lease, by the flags. */
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
        try (ControllerProcess process = server.process()) {
            command.addControllers(process, "own");
            assertThat(process.metrics()).contains("bucketwright_leader{lease=\"" + lease + "\",");
        }
    }

    /** The flags of the reference implementation, as manifests of vendors have them. */
    @Test
    void theSidecarTakesTheFlagsOfTheReferenceWithOneDashAndWithTwo() {
        CommandLine sidecar = new CommandLine(new SidecarCommand());
        assertThat(sidecar.parseArgs("--driver-addr=unix:///var/lib/cosi/cosi.sock", "--v=2", "--logtostderr")
                        .matchedOptionValue("-d", ""))
                .isEqualTo("unix:///var/lib/cosi/cosi.sock");
        assertThat(sidecar.parseArgs("-d", "unix:///x.sock", "-g", "-v=2", "-logtostderr=true", "-vmodule=a=1")
                        .hasMatchedOption("-vmodule"))
                .isTrue();
        assertThat(sidecar.parseArgs("-v", "1", "--kubeconfig", "/nowhere").unmatched())
                .isEmpty();
    }

    @Test
    void theControllerTakesTheFlagsOfTheReference() {
        assertThat(new CommandLine(new CosiControllerCommand())
                        .parseArgs("--v=2", "--kubeconfig=/nowhere", "-stderrthreshold=2", "-alsologtostderr")
                        .hasMatchedOption("--v"))
                .isTrue();
    }

    private void addControllers(String... arguments) {
        SidecarCommand command = new SidecarCommand();
        new CommandLine(command).parseArgs(arguments);
        try (ControllerProcess process = server.process()) {
            command.addControllers(process, "default");
        }
    }
}
