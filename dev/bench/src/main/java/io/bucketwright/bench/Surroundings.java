package io.bucketwright.bench;

import io.bucketwright.bench.report.BenchReport;
import io.bucketwright.bench.report.BenchReport.Machine;
import io.bucketwright.bench.report.SubjectReport;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a reader must know to compare a result with another: machine and versions. */
final class Surroundings {

    private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*: (.+)$");
    private static final Pattern MEMORY = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB$");
    private static final long KIB_PER_MIB = 1024;

    private Surroundings() {}

    static BenchReport report(KubernetesClient client, String launcher, int workers, List<SubjectReport> subjects)
            throws InterruptedException {
        return new BenchReport(
                Optional.ofNullable(Surroundings.class.getPackage().getImplementationVersion())
                        .orElse("(development)"),
                commit(launcher),
                Instant.now().truncatedTo(ChronoUnit.MINUTES).toString(),
                machine(),
                Runtime.version().toString(),
                Optional.ofNullable(System.getenv("BUCKETWRIGHT_JAVA_OPTS")).orElse(""),
                kubernetes(client),
                workers,
                subjects);
    }

    /** A server that has failed meanwhile must not cost what was measured. */
    private static String kubernetes(KubernetesClient client) {
        try {
            return client.getKubernetesVersion().getGitVersion();
        } catch (KubernetesClientException e) {
            return "unknown: " + e.getMessage();
        }
    }

    private static Machine machine() {
        return new Machine(
                find(MODEL, "/proc/cpuinfo").orElse("unknown CPU"),
                Runtime.getRuntime().availableProcessors(),
                find(MEMORY, "/proc/meminfo").map(Long::parseLong).orElse(0L) / KIB_PER_MIB);
    }

    private static Optional<String> find(Pattern pattern, String file) {
        try {
            Matcher matcher = pattern.matcher(Files.readString(Path.of(file)));
            return matcher.find() ? Optional.of(matcher.group(1).trim()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The commit of the clone that the command was built in; empty if it is in none or there is no git. */
    private static String commit(String launcher) throws InterruptedException {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .directory(Optional.ofNullable(Path.of(launcher).getParent())
                            .orElseThrow()
                            .toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? printed : "";
        } catch (IOException e) {
            return "";
        }
    }
}
