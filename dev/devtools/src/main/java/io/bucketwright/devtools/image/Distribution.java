package io.bucketwright.devtools.image;

import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The installed command that goes into the image.
 *
 * @param home has {@code bin} and {@code lib}
 * @param jar the jar of the app
 */
record Distribution(Path home, Path jar, String version) {

    /** The directories of jars that the commands in an image use, without those of the tools. */
    static final List<String> DIRECTORIES = List.of("core", "client", "cosi", "s3");

    private static final Pattern JAR = Pattern.compile("bucketwright-app-(.+)\\.jar");

    /** The installation that this process runs from. */
    static Distribution ofThisCommand() throws IOException {
        try {
            Path jar = Path.of(Distribution.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            // In lib/tools.
            return of(Optional.ofNullable(jar.getParent())
                    .map(Path::getParent)
                    .map(Path::getParent)
                    .orElseThrow(() -> new CommandException("There is no installation around " + jar + ".")));
        } catch (URISyntaxException e) {
            throw new CommandException("Cannot find the installation of this command.", e);
        }
    }

    /** Repository and tag of its image by default. A tag has no plus sign. */
    String reference() {
        return "bucketwright:" + version.replace('+', '_');
    }

    /**
     * The file name of an archive of its image.
     *
     * @param platforms one, or all of them
     */
    String archive(List<Platform> platforms) {
        String suffix = platforms.size() > 1 ? "" : "-" + platforms.getFirst().architecture();
        return "bucketwright-" + version + suffix + ".tar";
    }

    /** Whether that file exists and is newer than all files that go into an image. */
    boolean isOlderThan(Path archive) throws IOException {
        if (!Files.exists(archive)) {
            return false;
        }
        FileTime built = Files.getLastModifiedTime(archive);
        for (Path file : Stream.concat(
                        jars().stream(), Stream.of(home.resolve("bin/bucketwright"), home.resolve("LICENSE")))
                .toList()) {
            if (Files.getLastModifiedTime(file).compareTo(built) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Where images are written by default. */
    Path images() {
        return home.resolveSibling("image");
    }

    /**
     * Reads an installation.
     *
     * @throws CommandException if there is none
     */
    static Distribution of(Path home) throws IOException {
        Path lib = home.resolve("lib");
        if (Files.isDirectory(lib)) {
            try (Stream<Path> files = Files.list(lib)) {
                for (Path file : files.sorted().toList()) {
                    Matcher name = JAR.matcher(String.valueOf(file.getFileName()));
                    if (name.matches()) {
                        return new Distribution(home, file, name.group(1));
                    }
                }
            }
        }
        throw new CommandException("There is no installed command in " + home + " to make an image of. Run"
                + " `./bucketwright image` in a clone.");
    }

    /** The time of the files in the image, and of the image: that of the jar's entries, which the build fixes. */
    Instant time() throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            ZipEntry manifest =
                    Objects.requireNonNull(file.getEntry("META-INF/MANIFEST.MF"), () -> jar + " has no manifest");
            return manifest.getTimeLocal().toInstant(ZoneOffset.UTC);
        }
    }

    /** The jars in a directory of {@code lib}, sorted. */
    List<Path> jars(String directory) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("lib").resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /** All jars that go into the image. */
    List<Path> jars() throws IOException {
        Stream.Builder<Path> all = Stream.builder();
        all.add(jar);
        for (String directory : DIRECTORIES) {
            jars(directory).forEach(all);
        }
        return all.build().toList();
    }

    /** The root of the clone that the command was built in, if it was. */
    Optional<Path> sourceTree() {
        if (!home.endsWith(Path.of("target", "dist"))) {
            return Optional.empty();
        }
        for (@Nullable Path directory = home; directory != null; directory = directory.getParent()) {
            if (Files.exists(directory.resolve(".git"))) {
                return Optional.of(directory);
            }
        }
        return Optional.empty();
    }
}
