package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Names that users, scripts, dashboards and manifests depend on: commands and flags, environment variables, exit codes,
 * metrics, annotations, labels and finalizers, reasons, actions and phases. The golden file has all of them.
 */
@Execution(ExecutionMode.CONCURRENT)
class PublicSurfaceTest {

    private static final Path GOLDEN = Path.of("src/test/resources/public-surface.txt");
    private static final String UPDATE = "bucketwright.golden.update";

    private static final Pattern CONTROLLERS =
            Pattern.compile("io\\.bucketwright\\.(api|runtime(?!\\.connection)|buckets|cosi(?!\\.proto)|volumes)\\b.*");

    /** Keys with a DNS prefix: annotations, labels, finalizers, provisioners, API groups. */
    private static final Pattern KEY = Pattern.compile("[a-z0-9-]+(\\.[a-z0-9-]+)+/[A-Za-z0-9._-]+");

    private static final Pattern METRIC = Pattern.compile("bucketwright(\\.[a-z]+)*\\.[a-z\u0001]+");

    private static final Pattern CAMEL_CASE = Pattern.compile("[A-Z][a-z]+([A-Z]+[a-z]*)*");

    @Test
    void thePublicSurfaceIsTheOneInTheGoldenFile() throws IOException {
        String surface = String.join("\n", surface()) + "\n";
        if (Boolean.getBoolean(UPDATE)) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, surface);
        }
        assertThat(surface).as("""
                        A name that users depend on was added, changed or removed. If that is intended, update the file with
                          ./mvnw -pl app -am test -Dtest=PublicSurfaceTest -Dsurefire.failIfNoSpecifiedTests=false -D%s
                        and list the change in CHANGELOG.md. After release 0.1 entries may only be added.""", UPDATE).isEqualTo(SourceTree.read(GOLDEN));
    }

    private static List<String> surface() {
        List<String> lines = new ArrayList<>();
        CommandLine root = Main.commandLine();
        section(
                lines,
                "Exit codes",
                root.getCommandSpec().usageMessage().exitCodeList().entrySet().stream()
                        .map(code -> code.getKey() + " " + code.getValue()));
        section(lines, "Commands, flags and environment variables", commands(root.getCommandSpec()));
        Set<String> constants = constants();
        section(
                lines,
                "Metrics",
                constants.stream().filter(METRIC.asMatchPredicate()).map(name -> name.replace('\1', '*')));
        section(
                lines,
                "Annotations, labels, finalizers and other keys",
                constants.stream().filter(KEY.asMatchPredicate()));
        section(
                lines,
                "Reasons, actions, phases, kinds and policies",
                constants.stream().filter(CAMEL_CASE.asMatchPredicate()));
        return lines;
    }

    private static void section(List<String> lines, String title, Stream<String> entries) {
        lines.add("# " + title);
        entries.forEach(lines::add);
        lines.add("");
    }

    private static Stream<String> commands(CommandSpec command) {
        return Stream.of(
                        Stream.of(command.qualifiedName()),
                        command.positionalParameters().stream().map(positional -> "    " + positional.paramLabel()),
                        command.options().stream()
                                .filter(option -> !option.usageHelp() && !option.versionHelp() && !option.inherited())
                                .map(PublicSurfaceTest::flag)
                                .sorted(),
                        command.subcommands().values().stream()
                                .map(CommandLine::getCommandSpec)
                                .filter(subcommand -> !subcommand.helpCommand())
                                .flatMap(PublicSurfaceTest::commands))
                .flatMap(lines -> lines);
    }

    private static String flag(OptionSpec option) {
        return "    " + String.join(", ", Stream.of(option.names()).sorted().toList())
                + (option.arity().max() == 0 ? "" : " " + option.paramLabel())
                + (option.required() ? " (required)" : "")
                + Optional.ofNullable(option.defaultValue())
                        .filter(value -> !value.isEmpty())
                        .map(value -> " = " + value)
                        .orElse("")
                + " [" + EnvironmentDefaults.variable(option) + "]";
    }

    /** String constants in the class files; the compiler has concatenated constant expressions. */
    private static Set<String> constants() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.bucketwright").stream()
                        .filter(type ->
                                CONTROLLERS.matcher(type.getPackageName()).matches())
                        .map(type -> type.getSource().orElseThrow().getUri())
                        .distinct()
                        .flatMap(PublicSurfaceTest::constants)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> constants(URI classFile) {
        try (InputStream file = classFile.toURL().openStream()) {
            List<String> constants = new ArrayList<>();
            for (PoolEntry entry : ClassFile.of().parse(file.readAllBytes()).constantPool()) {
                if (entry instanceof StringEntry string) {
                    constants.add(string.stringValue());
                }
            }
            return constants.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
