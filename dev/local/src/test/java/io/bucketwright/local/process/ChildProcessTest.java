package io.bucketwright.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.report.LocalClusterException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {

    @TempDir
    private Path dir;

    @Test
    void givesEachLineOfOutputAndErrorsAndTheExitCode() {
        List<String> lines = new ArrayList<>();

        int code = new ChildProcess(dir, Map.of("NAME", "wright"))
                .run(List.of("sh", "-c", "echo hello $NAME; echo oh >&2; exit 7"), lines::add);

        assertThat(code).isEqualTo(7);
        assertThat(lines).containsExactly("hello wright", "oh");
    }

    @Test
    void aMissingFolderIsReported() {
        assertThatThrownBy(() -> new ChildProcess(dir.resolve("missing"), Map.of()).run(List.of("true"), _ -> {}))
                .isInstanceOf(LocalClusterException.class)
                .hasMessageStartingWith("Cannot run true");
    }
}
