package io.bucketwright.devtools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher in the root directory builds when a source has changed, and only then. */
@Execution(ExecutionMode.CONCURRENT)
class LauncherTest {

    private final Instant built = Instant.now().minus(Duration.ofHours(1));

    @TempDir
    private Path clone;

    @BeforeEach
    void buildInThePast() throws Exception {
        script("bucketwright", Files.readString(Path.of("../../bucketwright")));
        script("mvnw", "#!/bin/sh\necho called >> \"$(dirname \"$0\")/builds\"\n");
        script("dev/devtools/target/dist/bin/bucketwright", "#!/bin/sh\necho \"started $*\"\n");
        old(
                "pom.xml",
                "<modules>\n  <module>product/app</module>\n  <module>newest</module>\n  <module>a/b</module>\n</modules>");
        old("product/app/src/main/java/App.java", "");
        old("newest/pom.xml", "");
        old("newest/src/main/proto/wire.proto", "");
        old("a/b/src/main/java/Deep.java", "");
        old("a/b/src/test/java/DeepTest.java", "");
        old("deploy/rbac.yaml", "");
        old("dev/devtools/target/dist/built", "");
    }

    @Test
    void nothingIsBuiltIfNothingChanged() throws Exception {
        assertThat(run("claim", "list")).isEqualTo("started claim list\n");
        assertThat(clone.resolve("builds")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pom.xml",
                "newest/pom.xml",
                "newest/src/main/proto/wire.proto",
                "product/app/src/main/java/App.java",
                "a/b/src/main/java/Deep.java",
                "a/b/src/main/java",
                "deploy/rbac.yaml"
            })
    void aChangeInAnyModuleIsBuiltOnce(String changed) throws Exception {
        Files.setLastModifiedTime(
                clone.resolve(changed), FileTime.from(Instant.now().minusSeconds(5)));

        assertThat(run("crds")).isEqualTo("started crds\n");
        run("crds");

        assertThat(clone.resolve("builds")).hasContent("called");
    }

    @Test
    void aChangeOfATestIsNotBuilt() throws Exception {
        Files.setLastModifiedTime(clone.resolve("a/b/src/test/java/DeepTest.java"), FileTime.from(Instant.now()));
        run("crds");
        assertThat(clone.resolve("builds")).doesNotExist();
    }

    private String run(String... arguments) throws Exception {
        Path out = clone.resolve("out");
        ProcessBuilder launcher =
                new ProcessBuilder(clone.resolve("bucketwright").toString());
        launcher.command().addAll(List.of(arguments));
        int code = launcher.redirectOutput(out.toFile())
                .redirectError(clone.resolve("err").toFile())
                .start()
                .waitFor();
        assertThat(code).as(Files.readString(clone.resolve("err"))).isZero();
        return Files.readString(out);
    }

    /**
     * Another process writes it. A file that this one has open for writing cannot be executed, and the processes that other
     * tests start inherit it for a moment.
     */
    private void script(String name, String text) throws Exception {
        Path written = Files.writeString(clone.resolve("script"), text);
        Path file = clone.resolve(name);
        int code = new ProcessBuilder("install", "-D", "-m", "755", written.toString(), file.toString())
                .start()
                .waitFor();
        assertThat(code).isZero();
        Files.delete(written);
        age(file);
    }

    private void old(String name, String text) throws IOException {
        Path file = clone.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
        age(file);
    }

    private void age(Path file) throws IOException {
        @Nullable Path each = file;
        while (each != null && !each.equals(clone)) {
            Files.setLastModifiedTime(each, FileTime.from(each.endsWith("built") ? built : built.minusSeconds(60)));
            each = each.getParent();
        }
    }
}
