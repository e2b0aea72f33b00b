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

    private void addControllers(String... arguments) {
        SidecarCommand command = new SidecarCommand();
        new CommandLine(command).parseArgs(arguments);
        try (ControllerProcess process = server.process()) {
            command.addControllers(process, "default");
        }
    }
}
