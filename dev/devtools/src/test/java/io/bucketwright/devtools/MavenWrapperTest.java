package io.bucketwright.devtools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mvnw} on a machine where the programs of the cluster tests are not built yet. */
class MavenWrapperTest {

    private static final String CALLS = "calls";

    @TempDir
    private Path folder;

    /** Another process writes it: see {@link LauncherTest}. */
    @BeforeEach
    void fakeMaven() throws Exception {
        Path text = Files.writeString(folder.resolve("script"), """
                #!/bin/sh
                case $* in
                --version) echo "Apache Maven 3.9.16"; exit ;;
                *build-classpath*) exit 1 ;;
                esac
                shift 2
                echo "$*" >> "%s"
                """.formatted(folder.resolve(CALLS)));
        int code = new ProcessBuilder(
                        "install",
                        "-D",
                        "-m",
                        "755",
                        text.toString(),
                        folder.resolve("bin/mvn").toString())
                .start()
                .waitFor();
        assertThat(code).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify", "clean verify", "-B -ntp -fae verify"})
    void theWholeBuildRunsAllUnitTestsFirst(String arguments) throws Exception {
        assertThat(calls(arguments, Map.of())).containsExactly(arguments.replace("verify", "test"), arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "test",
                "-Prelease verify gpg:sign deploy:deploy",
                "verify -DskipITs",
                "verify -DskipTests",
                "-pl product/buckets -am verify",
                "verify -Dit.test=CrashIT",
                "verify --resume-from :bucketwright-app"
            })
    void everythingElseRunsOnce(String arguments) throws Exception {
        assertThat(calls(arguments, Map.of())).containsExactly(arguments);
    }

    @Test
    void programsThatExistAreNotWaitedFor() throws Exception {
        assertThat(calls("verify", Map.of("KUBEBUILDER_ASSETS", folder.toString())))
                .containsExactly("verify");
        Files.createDirectories(folder.resolve("bucketwright/control-plane-0123"));
        Files.delete(folder.resolve(CALLS));
        assertThat(calls("verify", Map.of())).containsExactly("verify");
    }

    private List<String> calls(String arguments, Map<String, String> environment) throws Exception {
        ProcessBuilder wrapper = new ProcessBuilder("../../mvnw");
        wrapper.command().addAll(List.of(arguments.split(" ")));
        wrapper.environment().remove("KUBEBUILDER_ASSETS");
        wrapper.environment().put("XDG_CACHE_HOME", folder.toString());
        wrapper.environment()
                .put("PATH", folder.resolve("bin") + ":" + wrapper.environment().get("PATH"));
        wrapper.environment().putAll(environment);
        Path log = folder.resolve("log");
        int code = wrapper.redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        assertThat(code).as(Files.readString(log)).isZero();
        return Files.readAllLines(folder.resolve(CALLS));
    }
}
