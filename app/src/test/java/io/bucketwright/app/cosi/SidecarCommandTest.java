package io.bucketwright.app.cosi;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Which sidecars start, on an API server that serves some versions of {@code objectstorage.k8s.io}. */
class SidecarCommandTest {

    private static final String GROUP = "/apis/objectstorage.k8s.io/";
    private static final String FLAG = "--experimental-cosi-v1alpha2";

    private final Set<String> served = ConcurrentHashMap.newKeySet();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(
                    served.contains(exchange.getRequestURI().getPath()) ? 200 : 404, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

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
        try (ControllerProcess process = ClientOptions.config(
                        ControllerProcess.builder(),
                        new ConfigBuilder()
                                .withMasterUrl("http://127.0.0.1:"
                                        + server.getAddress().getPort())
                                .build())
                .build()) {
            command.addControllers(process, "default");
        }
    }
}
