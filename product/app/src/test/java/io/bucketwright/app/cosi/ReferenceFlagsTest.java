package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The flags of the reference implementation, as manifests of vendors have them. */
class ReferenceFlagsTest {

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
}
