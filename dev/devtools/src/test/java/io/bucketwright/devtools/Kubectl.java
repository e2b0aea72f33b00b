package io.bucketwright.devtools;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;

/** kubectl itself, for what tests wait for: {@code bucketwright local kubectl} starts a JVM for each call. */
public record Kubectl(Path kubeconfig) {

    /** What it prints; fails unless it succeeds. */
    public String run(String... arguments) throws IOException, InterruptedException {
        Path program = Binaries.ofThisUser(Progress.silent()).provide(Program.KUBECTL);
        Process process = new ProcessBuilder(
                        Stream.concat(Stream.of(program.toString(), "--kubeconfig=" + kubeconfig), Stream.of(arguments))
                                .toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return printed;
    }
}
