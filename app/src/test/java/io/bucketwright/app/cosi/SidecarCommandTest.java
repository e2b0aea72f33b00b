package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ServedVersionsTestBase;
import io.bucketwright.runtime.engine.ControllerProcess;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Which sidecars start, on an API server that serves some versions of {@code objectstorage.k8s.io}. */
class SidecarCommandTest extends ServedVersionsTestBase {

    private static final String GROUP = "/apis/objectstorage.k8s.io/";
    private static final String FLAG = "--experimental-cosi-v1alpha2";

    @Test
    void theExperimentalFlagIsRefusedBesideTheDefinitionsOfTheReleasedVersion() {
        served.add(GROUP + "v1alpha1");
        assertThatThrownBy(() -> addControllers(FLAG, "--driver-name", "d"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("are those of v1alpha1")
                .hasMessageContaining(FLAG + " selects v1alpha2")
                .hasMessageContaining("Remove the flag");
    }

    @Test
    void definitionsOfTheExperimentalVersionAreRefusedBeforeTheDriverIsWaitedFor() {
        served.add(GROUP + "v1alpha2");
        assertThatThrownBy(() -> addControllers())
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("are those of v1alpha2")
                .hasMessageContaining("serves v1alpha1");
    }

    @Test
    void theExperimentalFlagServesItsVersionButNotWithTheDriverOfBucketwright() {
        served.add(GROUP + "v1alpha2");
        assertThatCode(() -> addControllers(FLAG, "--driver-name", "d")).doesNotThrowAnyException();
        assertThatThrownBy(() -> addControllers(FLAG, "--driver-name", "d", "--with-driver"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--with-driver cannot be used with --experimental-cosi-v1alpha2");
    }

    private void addControllers(String... arguments) {
        SidecarCommand command = new SidecarCommand();
        new CommandLine(command).parseArgs(arguments);
        try (ControllerProcess process = process()) {
            command.addControllers(process, "default");
        }
    }
}
