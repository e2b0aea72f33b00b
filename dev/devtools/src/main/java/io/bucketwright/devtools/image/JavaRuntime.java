package io.bucketwright.devtools.image;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Makes the Java runtime of an image: with jlink, of the modules that the jars need. jlink can do it for another
 * architecture only with the jmods of a JDK of exactly its version; else that runtime is copied whole.
 *
 * @param home the JDK that links
 * @param others JDKs of other architectures, with or without jmods
 * @param work a directory for child processes
 */
record JavaRuntime(Path home, Map<Platform, Path> others, Packages packages, Path work) {

    /**
     * Modules that jdeps finds and no command uses. Jackson, Micrometer and the AWS SDK refer to classes of java.beans,
     * and do without them; the module would add a fifth to the runtime.
     */
    private static final List<String> UNUSED = List.of("java.desktop");

    /** Makes the runtime in a new directory. */
    void create(Platform platform, List<Path> jars, Path directory) throws IOException {
        Optional<Path> other = Optional.ofNullable(others.get(platform));
        if (other.isPresent()) {
            requirePlatform(platform, other.get());
            if (Files.isDirectory(other.get().resolve("jmods"))) {
                link(
                        modules(jars),
                        List.of("--module-path", other.get().resolve("jmods").toString()),
                        directory);
            } else {
                FileTree.copy(other.get(), directory);
            }
        } else if (Platform.ofThisJvm().filter(platform::equals).isPresent()) {
            link(modules(jars), List.of(), directory);
        } else {
            FileTree.copy(packages.provide(platform.java()).resolve("runtime"), directory);
        }
        for (String unneeded : List.of("include", "man", "jmods", "lib/src.zip", "lib/server/classes_nocoops.jsa")) {
            FileTree.delete(directory.resolve(unneeded));
        }
    }

    /** The modules that the jars need, sorted. */
    List<String> modules(List<Path> jars) {
        List<String> command = new ArrayList<>(
                List.of(tool("jdeps"), "-q", "--ignore-missing-deps", "--multi-release", "25", "--print-module-deps"));
        jars.forEach(jar -> command.add(jar.toString()));
        List<String> lines = new ArrayList<>();
        new ChildProcess(work, Map.of())
                .require(
                        command,
                        lines::add,
                        code -> "jdeps could not find the modules that the jars need (" + code + ").");
        TreeSet<String> modules = Arrays.stream(lines.getLast().split(",", -1))
                .map(String::strip)
                .collect(Collectors.toCollection(TreeSet::new));
        UNUSED.forEach(modules::remove);
        return List.copyOf(modules);
    }

    private void link(List<String> modules, List<String> options, Path directory) {
        List<String> command = new ArrayList<>(List.of(
                tool("jlink"),
                "--add-modules",
                String.join(",", modules),
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                directory.toString()));
        command.addAll(options);
        new ChildProcess(work, Map.of())
                .require(command, _ -> {}, code -> "jlink could not make a Java runtime (" + code + ").");
    }

    private static void requirePlatform(Platform platform, Path jdk) throws IOException {
        Path release = jdk.resolve("release");
        if (!Files.isRegularFile(release)) {
            throw new CommandException(jdk + " is not a Java runtime: it has no file `release`.");
        }
        String text = Files.readString(release);
        if (!text.contains("JAVA_VERSION=\"25")) {
            throw new CommandException(jdk + " is not Java 25. See its file `release`.");
        }
        Optional<String> machine = text.lines()
                .filter(line -> line.startsWith("OS_ARCH="))
                .map(line -> line.substring("OS_ARCH=".length()).replace("\"", ""))
                .findFirst();
        if (machine.isPresent() && !Platform.ofMachine(machine.get()).equals(Optional.of(platform))) {
            throw new CommandException(
                    jdk + " is a Java runtime for " + machine.get() + ", not for " + platform.architecture() + ".");
        }
    }

    private String tool(String name) {
        Path tool = home.resolve("bin").resolve(name);
        if (!Files.isExecutable(tool)) {
            throw new CommandException("Building an image needs a JDK 25 with " + name + ", and " + home
                    + " has none. Install a JDK (Debian: temurin-25-jdk or openjdk-25-jdk) and set JAVA_HOME.");
        }
        return tool.toString();
    }
}
