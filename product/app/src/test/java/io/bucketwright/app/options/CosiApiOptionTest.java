package io.bucketwright.app.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.app.StubApiServer;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Which controllers run, on an API server that serves some groups. */
class CosiApiOptionTest {

    private static final String RELEASED = "GET /apis/objectstorage.k8s.io/v1alpha1";
    private static final String UNRELEASED = "GET /apis/objectstorage.k8s.io/v1alpha2";
    private static final String DESIGN = "GET /apis/cosi.io/v1alpha1";
    private static final String CLAIMS = "bucketwright-bucketclaims";
    private static final String REQUESTS = "bucketwright-cosi";
    private static final String AUTO = "--cosi-api=auto";

    @Command
    private static final class Holder {
        @Mixin
        private CosiApiOption option = new CosiApiOption();
    }

    @AutoClose
    private final StubApiServer server = new StubApiServer();

    @Test
    void theDefaultIsTheReleasedApiWhateverIsInstalled() {
        assertThat(controllers()).containsExactly(CLAIMS);
        server.answer(DESIGN, 200, "{}");
        assertThat(controllers()).containsExactly(CLAIMS);
    }

    @Test
    void autoServesTheGroupsWhoseDefinitionsAreInstalled() {
        server.answer(RELEASED, 200, "{}");
        assertThat(controllers(AUTO)).containsExactly(CLAIMS);
        server.answer(DESIGN, 200, "{}");
        assertThat(controllers(AUTO)).containsExactlyInAnyOrder(CLAIMS, REQUESTS);
        server.remove(RELEASED);
        assertThat(controllers(AUTO)).containsExactly(REQUESTS);
    }

    @Test
    void ifNothingIsInstalledOrNobodyAnswersAutoServesBothSoThatTheirAbsenceIsReported() {
        assertThat(controllers(AUTO)).containsExactlyInAnyOrder(CLAIMS, REQUESTS);
        server.close();
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
    void definitionsOfV1alpha2AreRefusedIfTheFlagSelectsTheGroup() {
        server.answer(UNRELEASED, 200, "{}");
        assertThatThrownBy(() -> controllers("--cosi-api", "objectstorage.k8s.io"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("are those of v1alpha2, which is not released")
                .hasMessageContaining("serves v1alpha1")
                .hasMessageContaining("bucketwright crds --only objectstorage");
        assertThatThrownBy(() -> controllers("--cosi-api", "all")).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> controllers()).hasMessageContaining("set --cosi-api to cosi.io or auto");
        assertThat(controllers("--cosi-api", "cosi.io")).containsExactly(REQUESTS);
    }

    @Test
    void definitionsOfV1alpha2AreLeftToOthersIfTheFlagIsAuto() {
        server.answer(UNRELEASED, 200, "{}");
        assertThat(controllers(AUTO)).isEmpty();
        server.answer(DESIGN, 200, "{}");
        assertThat(controllers(AUTO)).containsExactly(REQUESTS);
    }

    private Set<String> controllers(String... arguments) {
        Holder holder = new Holder();
        new CommandLine(holder).parseArgs(arguments);
        try (ControllerProcess process = server.process()) {
            return holder.option.builders(process, 1).keySet();
        }
    }
}
