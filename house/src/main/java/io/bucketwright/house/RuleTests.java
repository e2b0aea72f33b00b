package io.bucketwright.house;

import io.bucketwright.house.Mutations.Mutation;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Runs tests of modules that Maven has compiled, without Maven: each time in a new JVM, with the classes of broken files
 * first on the class path.
 */
final class RuleTests {

    /** The class path of a module's tests, which {@code house/broken-rules} has Maven write. */
    private static final String CLASS_PATH = "target/broken-rules.classpath";

    /** The first jar of the class path of the command that tests of a module start. */
    private static final String INSTALLED = "target/dist/lib/0-broken.jar";

    private static final long MINUTES = 20;
    private static final Pattern ARGUMENTS = Pattern.compile("<test\\.jvm\\.args>(.+?)</test\\.jvm\\.args>");
    private static final Pattern LINKAGE = Pattern.compile(
            "(NoSuchMethod|NoSuchField|NoClassDefFound|AbstractMethod|IncompatibleClassChange|IllegalAccess|Verify"
                    + "|ClassFormat)Error");

    /** What happened to one test: a case for each of its arguments. */
    record Outcome(int cases, int skipped, List<String> failures) {

        boolean passed() {
            return cases > skipped && failures.isEmpty();
        }

        boolean failed() {
            return !failures.isEmpty()
                    && failures.stream()
                            .noneMatch(failure -> LINKAGE.matcher(failure).find());
        }

        @Override
        public String toString() {
            return failures.isEmpty()
                    ? cases + " cases, " + skipped + " skipped"
                    : failures.size() + " of " + cases + " failed: " + failures.getFirst();
        }
    }

    private record Case(String type, String method, boolean skipped, String failure) {}

    /** What the launcher reported, and what it printed. */
    record Report(List<Case> cases, String output) {

        Outcome of(Mutation mutation) {
            String[] test = mutation.guard().test().split("\\.", -1);
            List<Case> found = cases.stream()
                    .filter(one -> one.type().matches("(.*\\.)?" + mutation.runner() + "(\\$.*)?"))
                    .filter(one -> test.length == 1 || one.method().equals(test[1]))
                    .toList();
            if (found.isEmpty()) {
                throw new IllegalStateException("no test ran; the output ends with\n" + output);
            }
            return new Outcome(
                    found.size(), (int) found.stream().filter(Case::skipped).count(), failures(found));
        }

        private static List<String> failures(List<Case> found) {
            return found.stream()
                    .map(Case::failure)
                    .filter(failure -> !failure.isEmpty())
                    .toList();
        }
    }

    private final Sources sources;
    private final String java =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private final JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    private final Path work;

    RuleTests(Sources sources) throws IOException {
        this.sources = sources;
        this.work = Files.createDirectories(sources.root().resolve("house/target/broken-rules"));
    }

    /** The folder of the module whose tests have the class that runs the test. */
    Path moduleOf(Mutation mutation) {
        String path = runner(mutation).path().toString();
        return Path.of(path.substring(0, path.indexOf("/src/")));
    }

    private SourceFile runner(Mutation mutation) {
        return sources.tests()
                .filter(file -> file.simpleName().equals(mutation.runner()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no test class " + mutation.runner()));
    }

    /** Runs the tests of these rules in one JVM. */
    Report run(Path module, List<Mutation> mutations, Map<String, String> broken)
            throws IOException, InterruptedException {
        delete(work);
        Files.createDirectories(work.resolve("classes"));
        String classPath = work.resolve("classes")
                + File.pathSeparator
                + module.resolve("target/test-classes")
                + File.pathSeparator
                + module.resolve("target/classes")
                + File.pathSeparator
                + Sources.text(module.resolve(CLASS_PATH)).strip();
        Map<Path, String> unbroken = new LinkedHashMap<>();
        for (Path file : prepare(broken, classPath)) {
            unbroken.put(file, Sources.text(file));
        }
        Path installed = module.resolve(INSTALLED);
        // Also if the script is interrupted.
        Thread restore = new Thread(() -> restore(unbroken, installed));
        Runtime.getRuntime().addShutdownHook(restore);
        try {
            for (Path file : unbroken.keySet()) {
                Files.writeString(file, Objects.requireNonNull(broken.get(relative(file))));
            }
            if (!broken.isEmpty() && Files.isDirectory(Objects.requireNonNull(installed.getParent()))) {
                jar(installed);
            }
            return launch(module, mutations, classPath);
        } finally {
            restore(unbroken, installed);
            Runtime.getRuntime().removeShutdownHook(restore);
        }
    }

    private static void restore(Map<Path, String> unbroken, Path installed) {
        try {
            for (Map.Entry<Path, String> file : unbroken.entrySet()) {
                Files.writeString(file.getKey(), file.getValue());
            }
            Files.deleteIfExists(installed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts the broken classes where the installed command finds them first. */
    private void jar(Path installed) throws IOException {
        Path classes = work.resolve("classes");
        try (OutputStream file = Files.newOutputStream(installed);
                JarOutputStream jar = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, jar);
            }
        }
    }

    private String relative(Path file) {
        return sources.root().relativize(file).toString();
    }

    /** Compiles the broken classes and copies the broken resources. Returns the other files, which are read where they are. */
    private List<Path> prepare(Map<String, String> broken, String classPath) throws IOException {
        List<Path> others = new ArrayList<>();
        List<Path> classes = new ArrayList<>();
        for (Map.Entry<String, String> file : broken.entrySet()) {
            String[] parts = file.getKey().split("/src/main/(java|resources)/", -1);
            if (parts.length == 1) {
                others.add(sources.root().resolve(file.getKey()));
                continue;
            }
            boolean code = file.getKey().endsWith(".java");
            Path copy = work.resolve(code ? "sources" : "classes").resolve(parts[1]);
            Files.createDirectories(Objects.requireNonNull(copy.getParent()));
            Files.writeString(copy, file.getValue());
            if (code) {
                classes.add(copy);
            }
        }
        if (!classes.isEmpty()) {
            compile(classes, classPath);
        }
        return others;
    }

    private void compile(List<Path> files, String classPath) throws IOException {
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "--release",
                "25",
                "-proc:none",
                "-parameters",
                "-nowarn",
                "-d",
                work.resolve("classes").toString(),
                "-cp",
                classPath);
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call()) {
                throw new IllegalStateException("the broken code does not compile:\n" + messages);
            }
        }
    }

    private Report launch(Path module, List<Mutation> mutations, String classPath)
            throws IOException, InterruptedException {
        Matcher arguments = ARGUMENTS.matcher(Sources.text(sources.root().resolve("pom.xml")));
        if (!arguments.find()) {
            throw new IllegalStateException("the root pom.xml has no test.jvm.args");
        }
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(List.of(arguments.group(1).split(" ", -1)));
        command.addAll(List.of("-Dbasedir=" + module, "-Dbucketwright.test.permits=1", "-cp"));
        command.add(classPath
                + File.pathSeparator
                + Sources.text(sources.root().resolve("house").resolve(CLASS_PATH))
                        .strip());
        command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute"));
        command.addAll(List.of("--disable-banner", "--details=none", "--fail-if-no-tests"));
        command.add("--config=junit.jupiter.execution.timeout.default=6 m");
        command.add("--reports-dir=" + work.resolve("reports"));
        for (Mutation mutation : mutations) {
            command.add("--select-class=" + runner(mutation).name());
            String[] test = mutation.guard().test().split("\\.", -1);
            command.add("--include-methodname=.*\\b" + mutation.runner() + ".*#" + (test.length == 1 ? ".*" : test[1]));
        }
        Path output = work.resolve("output.txt");
        ProcessBuilder process = new ProcessBuilder(command)
                .directory(module.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        process.environment().put("GOGC", "400");
        Process started = process.start();
        Thread end = new Thread(started::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(end);
        try {
            if (!started.waitFor(MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the test did not end within " + MINUTES + " minutes");
            }
        } finally {
            started.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(end);
        }
        String printed = Sources.text(output);
        return new Report(cases(), printed.substring(Math.max(0, printed.length() - 2000)));
    }

    private List<Case> cases() throws IOException {
        List<Case> cases = new ArrayList<>();
        if (!Files.isDirectory(work.resolve("reports"))) {
            return cases;
        }
        try (Stream<Path> reports = Files.list(work.resolve("reports"))) {
            for (Path report : reports.toList()) {
                NodeList found = DocumentBuilderFactory.newDefaultInstance()
                        .newDocumentBuilder()
                        .parse(report.toFile())
                        .getElementsByTagName("testcase");
                for (int i = 0; i < found.getLength(); i++) {
                    cases.add(testCase((Element) found.item(i)));
                }
            }
        } catch (SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("the launcher's report cannot be read", e);
        }
        return cases;
    }

    private static Case testCase(Element element) {
        String failure = "";
        for (String tag : List.of("failure", "error")) {
            if (element.getElementsByTagName(tag).item(0) instanceof Element failed) {
                failure = (failed.getAttribute("type") + ": "
                                + failed.getAttribute("message").strip())
                        .replaceAll("[\\s\\p{C}]+", " ");
            }
        }
        return new Case(
                element.getAttribute("classname"),
                element.getAttribute("name").replaceFirst("\\W.*", ""),
                element.getElementsByTagName("skipped").getLength() > 0,
                failure.length() > 160 ? failure.substring(0, 160) + "…" : failure);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
