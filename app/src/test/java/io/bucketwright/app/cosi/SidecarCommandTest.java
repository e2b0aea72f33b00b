package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.app.StubApiServer;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.runtime.engine.ControllerProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Which sidecars start, on an API server that serves some versions of {@code objectstorage.k8s.io}. */
class SidecarCommandTest {

    private static final String GROUP = "GET /apis/objectstorage.k8s.io/";
    private static final String FLAG = "--experimental-cosi-v1alpha2";

    @AutoClose
    private final StubApiServer server = new StubApiServer();

    @Test
    void theExperimentalFlagIsRefusedBesideTheDefinitionsOfTheReleasedVersion() {
        server.answer(GROUP + "v1alpha1", 200, "{}");
        assertThatThrownBy(() -> addControllers(FLAG, "--driver-name", "d"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("are those of v1alpha1")
                .hasMessageContaining(FLAG + " selects v1alpha2")
                .hasMessageContaining("Remove the flag");
    }

    @Test
    void definitionsOfTheExperimentalVersionAreRefusedBeforeTheDriverIsWaitedFor() {
        server.answer(GROUP + "v1alpha2", 200, "{}");
        assertThatThrownBy(() -> addControllers())
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("are those of v1alpha2")
                .hasMessageContaining("serves v1alpha1");
    }

    @Test
    void theExperimentalFlagServesItsVersionButNotWithTheDriverOfBucketwright() {
        server.answer(GROUP + "v1alpha2", 200, "{}");
        assertThatCode(() -> addControllers(FLAG, "--driver-name", "d")).doesNotThrowAnyException();
        assertThatThrownBy(() -> addControllers(FLAG, "--driver-name", "d", "--with-driver"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--with-driver cannot be used with --experimental-cosi-v1alpha2");
    }

    private void addControllers(String... arguments) {
        SidecarCommand command = new SidecarCommand();
        new CommandLine(command).parseArgs(arguments);
        try (ControllerProcess process = server.process()) {
            command.addControllers(process, "default");
        }
    }
}
