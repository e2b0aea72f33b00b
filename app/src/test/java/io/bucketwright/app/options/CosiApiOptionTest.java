package io.bucketwright.app.options;

import static org.assertj.core.api.Assertions.assertThat;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Which controllers run, on an API server that serves some groups. */
class CosiApiOptionTest {

    private static final String RELEASED = "/apis/objectstorage.k8s.io/v1alpha1";
    private static final String EXPERIMENTAL = "/apis/objectstorage.k8s.io/v1alpha2";
    private static final String DESIGN = "/apis/cosi.io/v1alpha1";
    private static final String FLAG = "--experimental-cosi-v1alpha2";
    private static final String CLAIMS = "bucketwright-bucketclaims";
    private static final String REQUESTS = "bucketwright-cosi";
    private static final String AUTO = "--cosi-api=auto";

    @Command
    private static final class Holder {
        @Mixin
        private CosiApiOption option = new CosiApiOption();
    }

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
    void theDefaultIsTheReleasedApiWhateverIsInstalled() {
        assertThat(controllers()).containsExactly(CLAIMS);
        served.add(DESIGN);
        assertThat(controllers()).containsExactly(CLAIMS);
    }

    @Test
    void autoServesTheGroupsWhoseDefinitionsAreInstalled() {
        served.add(RELEASED);
        assertThat(controllers(AUTO)).containsExactly(CLAIMS);
        served.add(DESIGN);
        assertThat(controllers(AUTO)).containsExactlyInAnyOrder(CLAIMS, REQUESTS);
        served.remove(RELEASED);
        assertThat(controllers(AUTO)).containsExactly(REQUESTS);
    }

    @Test
    void ifNothingIsInstalledOrNobodyAnswersAutoServesBothSoThatTheirAbsenceIsReported() {
        assertThat(controllers(AUTO)).containsExactlyInAnyOrder(CLAIMS, REQUESTS);
        server.stop(0);
        assertThat(controllers(AUTO)).containsExactlyInAnyOrder(CLAIMS, REQUESTS);
    }

    @Test
    void theFlagDecidesWhateverIsInstalled() {
        assertThat(controllers("--cosi-api", "objectstorage.k8s.io")).containsExactly(CLAIMS);
        assertThat(controllers("--cosi-api", "cosi.io")).containsExactly(REQUESTS);
        assertThat(controllers("--cosi-api", "all")).containsExactlyInAnyOrder(CLAIMS, REQUESTS);
        assertThatThrownBy(() -> controllers("--cosi-api", "v1alpha2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--cosi-api is \"v1alpha2\": set it to objectstorage.k8s.io");
    }

    @Test
    void definitionsOfTheOtherVersionAreRefusedIfTheFlagSelectsTheGroup() {
        served.add(EXPERIMENTAL);
        assertThatThrownBy(() -> controllers("--cosi-api", "objectstorage.k8s.io"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("are those of v1alpha2")
                .hasMessageContaining("serves v1alpha1")
                .hasMessageContaining("set --experimental-cosi-v1alpha2")
                .hasMessageContaining("bucketwright crds --only objectstorage");
        assertThatThrownBy(() -> controllers("--cosi-api", "all")).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> controllers()).hasMessageContaining("set --cosi-api to cosi.io or auto");
        assertThat(controllers("--cosi-api", "cosi.io")).containsExactly(REQUESTS);
    }

    @Test
    void definitionsOfTheOtherVersionAreLeftToOthersIfTheFlagIsAuto() {
        served.add(EXPERIMENTAL);
        assertThat(controllers(AUTO)).isEmpty();
        served.add(DESIGN);
        assertThat(controllers(AUTO)).containsExactly(REQUESTS);
    }

    @Test
    void theExperimentalFlagServesItsVersionAndIsRefusedBesideTheReleasedOne() {
        served.add(EXPERIMENTAL);
        assertThat(controllers(FLAG)).containsExactly(CLAIMS);
        assertThat(controllers(FLAG, "--cosi-api", "objectstorage.k8s.io")).containsExactly(CLAIMS);
        served.remove(EXPERIMENTAL);
        served.add(RELEASED);
        assertThatThrownBy(() -> controllers(FLAG))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("are those of v1alpha1")
                .hasMessageContaining(FLAG + " selects v1alpha2")
                .hasMessageContaining("Remove the flag");
    }

    private Set<String> controllers(String... arguments) {
        Holder holder = new Holder();
        new CommandLine(holder).parseArgs(arguments);
        try (ControllerProcess process = ClientOptions.config(
                        ControllerProcess.builder(),
                        new ConfigBuilder()
                                .withMasterUrl("http://127.0.0.1:"
                                        + server.getAddress().getPort())
                                .build())
                .build()) {
            return holder.option.builders(process, 1).keySet();
        }
    }
}
