package io.bucketwright.devtools;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.EnvironmentDefaults;
import io.bucketwright.app.Main;
import io.bucketwright.app.docs.GeneratedPage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** docs/reference/flags.md has every command with all its flags. */
class FlagsPageTest {

    @Test
    void thePageHasEveryCommandWithItsFlags() {
        GeneratedPage.of("flags.md")
                .assertSection(
                        "flags", commands(Main.commandLine().getCommandSpec()).collect(Collectors.joining("\n")));
    }

    @Test
    void everyFlagAndArgumentHasAMeaning() {
        assertThat(specs(Main.commandLine().getCommandSpec()).flatMap(command -> command.args().stream()))
                .isNotEmpty()
                .allSatisfy((ArgSpec argument) -> assertThat(meaning(argument))
                        .as(argument.toString())
                        .isNotBlank()
                        .endsWith("."));
    }

    @Test
    void aFlagThatAnotherOneCanReplaceIsNotShownAsRequired() {
        CommandSpec create = specs(Main.commandLine().getCommandSpec())
                .filter(command -> command.qualifiedName().equals("bucketwright claim create"))
                .findFirst()
                .orElseThrow();
        assertThat(create.findOption("--bucket").required()).isTrue();
        assertThat(command(create))
                .contains("| `--bucket` ", "| `--generate-name` ")
                .doesNotContain("**required**");
    }

    private static Stream<String> commands(CommandSpec root) {
        return specs(root).map(FlagsPageTest::command);
    }

    /** A command and all below it, without the help command. */
    private static Stream<CommandSpec> specs(CommandSpec command) {
        return Stream.concat(
                Stream.of(command),
                command.subcommands().values().stream()
                        .map(CommandLine::getCommandSpec)
                        .filter(subcommand -> !subcommand.helpCommand())
                        .flatMap(FlagsPageTest::specs));
    }

    private static String command(CommandSpec command) {
        List<List<String>> rows = Stream.concat(
                        command.positionalParameters().stream().map(FlagsPageTest::row),
                        command.options().stream()
                                .filter(option -> !option.usageHelp() && !option.versionHelp() && !option.inherited())
                                .sorted((one, other) -> one.longestName()
                                        .replaceFirst("^-+", "")
                                        .compareTo(other.longestName().replaceFirst("^-+", "")))
                                .map(FlagsPageTest::row))
                .toList();
        return "## " + command.qualifiedName() + "\n\n"
                + GeneratedPage.paragraph(
                        plain(String.join(" ", command.usageMessage().description())))
                + (rows.isEmpty()
                        ? ""
                        : "\n" + GeneratedPage.table(List.of("flag", "meaning", "default", "variable"), rows.stream()));
    }

    private static List<String> row(PositionalParamSpec positional) {
        return List.of("`" + positional.paramLabel() + "`", meaning(positional), "", "");
    }

    private static List<String> row(OptionSpec option) {
        String names =
                Stream.of(option.names()).sorted().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
        String value = option.arity().max() == 0 ? "" : " `" + option.paramLabel() + "`";
        return List.of(
                names + value,
                meaning(option),
                isRequired(option)
                        ? "**required**"
                        : Optional.ofNullable(option.defaultValue())
                                .filter(text -> !text.isEmpty())
                                .map(text -> "`" + text + "`")
                                .orElse(""),
                "`" + EnvironmentDefaults.variable(option) + "`");
    }

    /** Flags of a group exclude each other: each is required only if none of the others is chosen. */
    private static boolean isRequired(OptionSpec option) {
        return option.required() && option.group() == null;
    }

    /** The description without the default, which has a column. */
    private static String meaning(ArgSpec argument) {
        return plain(String.join(" ", argument.description())
                .replaceAll(" \\(default: \\$\\{DEFAULT-VALUE}\\)", "")
                .replace(
                        "${DEFAULT-VALUE}",
                        Optional.ofNullable(argument.defaultValue()).orElse("none")));
    }

    private static String plain(String text) {
        return Ansi.OFF
                .string(text)
                .replace("%%", "%")
                .replace("<", "\\<")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
