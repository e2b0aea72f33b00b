package io.bucketwright.devtools;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.EnvironmentDefaults;
import io.bucketwright.app.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What a person sees who asks a tool wrongly, and what holds for all commands of a clone. */
class ToolCommandLineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path dir;

    static Stream<List<String>> wrong() {
        return Stream.of(
                List.of("demo", "--only", "bukets"),
                List.of("demo", "--only", "volumes", "--keep", "--context", "mine"),
                List.of("local"),
                List.of("local", "up", "--wiht", "s3"),
                List.of("local", "status", "-o", "xml"),
                List.of("local", "kubeconfig", "--group", "a"),
                List.of("bench", "everything"),
                List.of("bench", "-n", "0"),
                List.of("bench", "cosi", "--command", "true"),
                List.of("bench", "churn", "--duration", "0s"),
                List.of("bench", "--save", "/no/such/directory/report.json"),
                List.of("bench", "plot"),
                List.of("bench", "page", "report.json"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aWrongCommandLineIsOneSentenceAndExitCode2(List<String> arguments) {
        assertThat(run(Map.of(), arguments)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines().findFirst())
                .hasValueSatisfying(
                        line -> assertThat(line).startsWith("bucketwright: ").endsWith(" --help`."));
        assertThat(err.toString()).doesNotContain("\tat ");
    }

    @Test
    void anUnknownAdditionIsOneSentence() {
        assertThat(run(Map.of(), List.of("local", "up", "--dir", dir.toString(), "--with", "swift")))
                .isEqualTo(1);
        assertThat(err.toString().trim())
                .isEqualTo(
                        "bucketwright: There is no add-on \"swift\"; there are s3, minio, ceph, azure, gcs, moto, node.");
    }

    @Test
    void statusOfNoClusterSaysHowToStartOne() {
        Path none = dir.resolve("none");
        assertThat(run(Map.of(), List.of("local", "status", "--dir", none.toString())))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("There is no local cluster in " + none)
                .contains("local up");
    }

    @Test
    void downOfNoClusterIsHarmless() {
        assertThat(run(
                        Map.of(),
                        List.of("local", "down", "--dir", dir.resolve("none").toString())))
                .isZero();
    }

    @Test
    void anEnvironmentVariableStandsInForAFlagAndTheFlagWins() {
        Map<String, String> environment =
                Map.of("BUCKETWRIGHT_DIR", dir.resolve("variable").toString());
        run(environment, List.of("local", "status"));
        run(environment, List.of("local", "status", "--dir", dir.resolve("flag").toString()));
        assertThat(err.toString().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).contains("/variable;"),
                        line -> assertThat(line).contains("/flag;"));
    }

    @Test
    void everyFlagOfEveryCommandHasAVariable() {
        assertThat(commands(Main.commandLine()).flatMap(command -> command.getCommandSpec().options().stream()))
                .filteredOn(option -> !option.usageHelp() && !option.versionHelp())
                .isNotEmpty()
                .allSatisfy((OptionSpec option) ->
                        assertThat(EnvironmentDefaults.variable(option)).matches("BUCKETWRIGHT_[A-Z0-9_]+"));
    }

    @Test
    void everyCommandExplainsItself() {
        assertThat(commands(Main.commandLine()))
                .allSatisfy(command -> assertThat(
                                command.getCommandSpec().usageMessage().description())
                        .as(command.getCommandName())
                        .isNotEmpty());
    }

    @Test
    void anUnknownContextIsAnErrorBeforeAClusterIsStarted() {
        assertThat(run(Map.of(), List.of("demo", "--context", "production-typo")))
                .isEqualTo(2);
        assertThat(err.toString())
                .startsWith("bucketwright: There is no context \"production-typo\" in the kubeconfig ")
                .hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    private static Stream<CommandLine> commands(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(ToolCommandLineTest::commands));
    }

    private int run(Map<String, String> environment, List<String> arguments) {
        return Main.commandLine()
                .setDefaultValueProvider(new EnvironmentDefaults(environment))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }
}
