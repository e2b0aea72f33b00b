package io.bucketwright.devtools;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.bucketwright.app.EnvironmentDefaults;
import io.bucketwright.app.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Names that users, scripts, dashboards and manifests depend on: commands and flags, environment variables, exit codes,
 * metrics, annotations, labels and finalizers, ownership tags, reasons, actions and phases. The golden file has all of
 * them. A star in it is a part that is known only at run time.
 */
@Execution(ExecutionMode.CONCURRENT)
class PublicSurfaceTest {

    private static final Path GOLDEN = Path.of("src/test/resources/public-surface.txt");
    private static final String UPDATE = "bucketwright.golden.update";

    private static final Pattern CONTROLLERS = Pattern.compile(
            "io\\.bucketwright\\.(api|runtime(?!\\.(connection|testing))|buckets|cosi(?!\\.proto)|volumes)\\b.*");

    private static final Pattern STORES = Pattern.compile("io\\.bucketwright\\.store(?!\\.contract)\\b.*");

    /** The place of a value in the text of a concatenation. */
    private static final String VALUE = "\u0001";

    /** Keys with a DNS prefix, whole or up to a part that is known at run time; API groups and names of drivers. */
    private static final Predicate<String> KEY = Pattern.compile(
                    "[a-z0-9-]+(\\.[a-z0-9-]+)+/[A-Za-z0-9._" + VALUE + "-]*|[a-z0-9-]+(\\.[a-z0-9-]+)*\\.io")
            .asMatchPredicate();

    /** A constant for a key has such a name, or is in a class for names. A key has a DNS prefix or none. */
    private static final Predicate<String> KEY_FIELD =
            Pattern.compile("(.*_)?(ANNOTATION|FINALIZER|LABEL)").asMatchPredicate();

    private static final Predicate<String> KEY_CLASS =
            Pattern.compile(".*(Annotations|Names)").asMatchPredicate();
    private static final Predicate<String> UNPREFIXED_KEY =
            Pattern.compile("(?=.*[a-z])[a-z0-9./-]+").asMatchPredicate();

    /** What a store keeps: keys of ownership tags, their forms in stores with other rules, names of policies. */
    private static final Predicate<String> STORED =
            Pattern.compile("bucketwright[A-Za-z0-9._/ =" + VALUE + "-]*").asMatchPredicate();

    private static final Predicate<String> METRIC =
            Pattern.compile("bucketwright(\\.[a-z" + VALUE + "]+)+").asMatchPredicate();

    /** Metrics with the names of other projects; a class that uses Micrometer has no other constants of this form. */
    private static final Predicate<String> FOREIGN_METRIC =
            Pattern.compile("[a-z]+(\\.[a-z" + VALUE + "]+)+").asMatchPredicate();

    private static final Predicate<String> CAMEL_CASE =
            Pattern.compile("[A-Z]+[a-z]+([A-Z]+[a-z]*)*").asMatchPredicate();

    @Test
    void thePublicSurfaceIsTheOneInTheGoldenFile() throws IOException {
        String surface = String.join("\n", surface()) + "\n";
        if (Boolean.getBoolean(UPDATE)) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, surface);
        }
        assertThat(surface).as("""
                        A name that users depend on was added, changed or removed. If that is intended, update the file with
                          ./mvnw -pl dev/devtools -am test -Dtest=PublicSurfaceTest -Dsurefire.failIfNoSpecifiedTests=false -D%s
                        and list the change in CHANGELOG.md. After release 0.1 entries may only be added.""", UPDATE).isEqualTo(Files.readString(GOLDEN));
    }

    private static List<String> surface() {
        List<String> lines = new ArrayList<>();
        CommandLine root = Main.commandLine();
        section(lines, "Exit codes", exitCodes(root.getCommandSpec()));
        section(lines, "Commands, flags and environment variables", commands(root.getCommandSpec()));
        List<ClassModel> classes = classes();
        List<ClassModel> controllers = in(CONTROLLERS, classes);
        section(
                lines,
                "Metrics",
                names(
                        controllers,
                        type -> texts(type)
                                .filter(usesMicrometer(type) ? FOREIGN_METRIC : METRIC)
                                .filter(KEY.negate())));
        section(
                lines,
                "Annotations, labels, finalizers and other keys",
                names(controllers, type -> Stream.concat(texts(type).filter(KEY), keyFields(type))));
        section(
                lines,
                "Ownership tags and other names in stores",
                names(in(STORES, classes), type -> texts(type).filter(STORED).map(text -> '"' + text + '"')));
        section(
                lines,
                "Reasons, actions, phases, kinds and policies",
                names(controllers, type -> texts(type).filter(CAMEL_CASE)));
        return lines;
    }

    private static void section(List<String> lines, String title, Stream<String> entries) {
        lines.add("# " + title);
        entries.forEach(lines::add);
        lines.add("");
    }

    private static Stream<String> exitCodes(CommandSpec command) {
        Map<String, String> codes = command.usageMessage().exitCodeList();
        return Stream.of(
                        codes.isEmpty() ? Stream.<String>empty() : Stream.of(command.qualifiedName()),
                        codes.entrySet().stream().map(code -> "    " + code.getKey() + " " + code.getValue()),
                        command.subcommands().values().stream()
                                .map(CommandLine::getCommandSpec)
                                .flatMap(PublicSurfaceTest::exitCodes))
                .flatMap(lines -> lines);
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

    private static List<ClassModel> classes() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.bucketwright").stream()
                        .map(type -> type.getSource().orElseThrow().getUri())
                        .distinct()
                        .map(PublicSurfaceTest::parse)
                        .toList();
    }

    private static ClassModel parse(URI classFile) {
        try (InputStream file = classFile.toURL().openStream()) {
            return ClassFile.of().parse(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<ClassModel> in(Pattern packages, List<ClassModel> classes) {
        List<ClassModel> found = classes.stream()
                .filter(type -> packages.matcher(name(type)).matches())
                .toList();
        assertThat(found).as("classes of " + packages).isNotEmpty();
        return found;
    }

    private static String name(ClassModel type) {
        return type.thisClass().asInternalName().replace('/', '.');
    }

    private static Stream<String> names(List<ClassModel> classes, Function<ClassModel, Stream<String>> names) {
        return classes.stream()
                .flatMap(names)
                .map(name -> name.replace(VALUE, "*"))
                .distinct()
                .sorted();
    }

    /** All string constants; the compiler has concatenated constant expressions. */
    private static Stream<String> texts(ClassModel type) {
        return entries(type, StringEntry.class).map(StringEntry::stringValue);
    }

    private static boolean usesMicrometer(ClassModel type) {
        return entries(type, ClassEntry.class)
                .anyMatch(used -> used.asInternalName().startsWith("io/micrometer/"));
    }

    private static <E extends PoolEntry> Stream<E> entries(ClassModel type, Class<E> kind) {
        return StreamSupport.stream(type.constantPool().spliterator(), false)
                .filter(kind::isInstance)
                .map(kind::cast);
    }

    private static Stream<String> keyFields(ClassModel type) {
        return type.fields().stream()
                .filter(field -> KEY_CLASS.test(name(type))
                        || KEY_FIELD.test(field.fieldName().stringValue()))
                .flatMap(PublicSurfaceTest::text)
                .filter(UNPREFIXED_KEY);
    }

    private static Stream<String> text(FieldModel field) {
        return field
                .findAttribute(Attributes.constantValue())
                .map(value -> value.constant().constantValue())
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .stream();
    }
}
