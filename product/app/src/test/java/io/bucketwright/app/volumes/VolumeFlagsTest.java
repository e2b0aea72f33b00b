package io.bucketwright.app.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The flags of 003, as its users have them in their manifests. */
class VolumeFlagsTest {

    private static final List<String> OF_BOTH = List.of("""
            -add_dir_header -alsologtostderr -controller-id=reclaimable-pvc-test -kubeconfig=/nowhere
            -lease-lock-id=me -lease-lock-name=lock -lease-lock-namespace=default -log_backtrace_at=a.go:7
            -log_dir=/tmp -log_file=/tmp/log -log_file_max_size=1800 -logtostderr -namespace=default -one_output
            -skip_headers=true -skip_log_headers=false -stderrthreshold=2 -v=2 -vmodule=a=1,b=2
            """.strip().split("\\s+", -1));

    static Stream<List<String>> asDocumented() {
        return Stream.of(
                        Stream.concat(Stream.of("pvc-provisioner"), OF_BOTH.stream()),
                        Stream.concat(Stream.of("pv-releaser", "-disable-automatic-association"), OF_BOTH.stream()),
                        Stream.concat(
                                Stream.of("pv-releaser", "--disable-automatic-association=true"),
                                OF_BOTH.stream().map(flag -> "-" + flag)),
                        Stream.of(
                                "pvc-provisioner",
                                "-controller-id",
                                "reclaimable-pvc-test",
                                "-namespace",
                                "default",
                                "-lease-lock-name",
                                "reclaimable-pvc-provisioner-test",
                                "-v",
                                "2"))
                .map(Stream::toList);
    }

    @ParameterizedTest
    @MethodSource("asDocumented")
    void everyFlagOf003ParsesWithOneDashAndWithTwo(List<String> arguments) {
        CommandLine.ParseResult parsed = commandLine().parseArgs(arguments.toArray(String[]::new));
        assertThat(parsed.subcommand().unmatched()).isEmpty();
        assertThat(parsed.subcommand().hasMatchedOption("-controller-id")).isTrue();
    }

    static Stream<List<String>> wrong() {
        List<String> good = List.of("-controller-id=a", "-lease-lock-name=b", "-lease-lock-namespace=c");
        return Stream.of("pvc-provisioner", "pv-releaser")
                .flatMap(command -> Stream.of(
                        with(command, good.subList(1, 3)),
                        with(command, List.of("-controller-id=a", "-lease-lock-namespace=c")),
                        with(command, good.subList(0, 2)),
                        with(command, good, "-controller-id=" + "x".repeat(64)),
                        with(command, good, "-controller-id=not a label"),
                        with(command, good, "--listen=8080"),
                        with(command, good, "--workers=0"),
                        with(command, good, "-v=much"),
                        with(command, good, "-nonsense")));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aWrongOneIsOneSentenceAndExitCode2(List<String> arguments) {
        StringWriter err = new StringWriter();
        CommandLine command = commandLine();
        command.setErr(new PrintWriter(err, true));
        command.setOut(new PrintWriter(err, true));
        command.setOverwrittenOptionsAllowed(true);
        command.setParameterExceptionHandler((failure, ignored) -> {
            failure.getCommandLine().getErr().println("sentence: " + failure.getMessage());
            return 2;
        });
        assertThat(command.execute(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString()).startsWith("sentence: ").doesNotContain("\tat ");
    }

    @Test
    void theLeaseIsInTheNamespaceThatIsServedUnlessSaidOtherwise() {
        PvcProvisionerCommand command = new PvcProvisionerCommand();
        new CommandLine(command).parseArgs("-controller-id=a", "-lease-lock-name=b", "-namespace=ours");
        assertThat(command.description().get("lease")).isEqualTo("ours/b");
        new CommandLine(command).parseArgs("-lease-lock-name=b", "-lease-lock-namespace=other", "-namespace=ours");
        assertThat(command.description().get("lease")).isEqualTo("other/b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pvc-provisioner", "pv-releaser"})
    void aMissingLeaseNameIsReportedByItsFlag(String name) {
        StringWriter err = new StringWriter();
        int code = commandLine()
                .setErr(new PrintWriter(err, true))
                .execute(name, "-controller-id=a", "-lease-lock-namespace=c");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).startsWith("Missing required flag -lease-lock-name");
    }

    @Test
    void theTwoPagesNameEveryFlag() throws IOException {
        String pages = Files.readString(Path.of("../../docs/pod-claims.md"))
                + Files.readString(Path.of("../../docs/pv-releaser.md"));
        assertThat(Stream.of(new PvcProvisionerCommand(), new PvReleaserCommand())
                        .map(CommandLine::new)
                        .flatMap(command -> command.getCommandSpec().options().stream())
                        .filter(option -> !option.usageHelp() && !option.versionHelp())
                        .map(option -> Arrays.stream(option.names())
                                .filter(name -> name.startsWith("-") && !name.startsWith("--"))
                                .findFirst()
                                .orElse(option.longestName())))
                .isNotEmpty()
                .allSatisfy(flag -> assertThat(pages).contains("`" + flag));
    }

    private static CommandLine commandLine() {
        return new CommandLine(CommandLine.Model.CommandSpec.create().name("bucketwright"))
                .addSubcommand(new PvcProvisionerCommand())
                .addSubcommand(new PvReleaserCommand());
    }

    private static List<String> with(String command, List<String> flags, String... more) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(flags);
        all.addAll(List.of(more));
        return all;
    }
}
