package io.bucketwright.devtools.image;

import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.process.ChildProcess;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Builds an image of the installed command: for each platform a root file system in a temporary directory, layers of it,
 * and an archive of all.
 */
record ImageBuild(Distribution distribution, Packages packages, Progress progress) {

    /** Where the command is in the image. */
    static final String HOME = "opt/bucketwright";

    private static final Path HOME_PATH = Path.of(HOME);
    private static final String SHELL = HOME + "/bin/sh";

    BuiltImage run(ImageRequest request) throws IOException {
        Path output = Files.createDirectories(request.output().toAbsolutePath().normalize());
        Instant time = distribution.time();
        ImageMetadata metadata = new ImageMetadata(
                request.reference().orElseGet(distribution::reference),
                distribution.version(),
                time,
                revision(output),
                request.source());
        Path work = Files.createTempDirectory(output, "work-");
        try {
            List<PlatformImage> images = new ArrayList<>();
            for (Platform platform : request.platforms()) {
                Path directory = Files.createDirectory(work.resolve(platform.architecture()));
                images.add(image(request, platform, metadata, directory));
            }
            Path archive = output.resolve(distribution.archive(request.platforms()));
            Path unfinished = work.resolve("image.tar");
            progress.begin("write the archive");
            Digest digest = new ImageLayout(metadata, images).write(unfinished);
            List<Path> sboms = sboms(images, work, output);
            Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
            progress.end("write the archive");
            return new BuiltImage(
                    metadata.reference(), archive, digest, images.getFirst().layers(), sboms);
        } finally {
            FileTree.delete(work);
        }
    }

    private List<Path> sboms(List<PlatformImage> images, Path work, Path output) throws IOException {
        List<Path> files = new ArrayList<>();
        for (PlatformImage image : images) {
            String architecture = image.platform().architecture();
            Path file = output.resolve("bucketwright-" + distribution.version() + "-" + architecture + ".cdx.json");
            Path root = work.resolve(architecture).resolve("root");
            new Sbom(distribution, root, image.platform(), image.metadata())
                    .write(Digest.of(image.manifest(image.config())), file);
            files.add(file);
        }
        return files;
    }

    private PlatformImage image(ImageRequest request, Platform platform, ImageMetadata metadata, Path work)
            throws IOException {
        Optional<BaseImage> base = Optional.empty();
        if (request.base().isPresent()) {
            base = Optional.of(BaseImage.read(request.base().get(), platform, work));
        }
        Path root = work.resolve("root");
        Path home = Files.createDirectories(root.resolve(HOME));
        Path libraries = packages.provide(platform.libraries());
        if (base.isEmpty()) {
            FileTree.copy(libraries.resolve("root"), root);
        }
        String step = "make the Java runtime for " + platform.architecture();
        progress.begin(step);
        new JavaRuntime(Path.of(System.getProperty("java.home")), request.jdks(), packages, work)
                .create(platform, distribution.jars(), home.resolve("runtime"));
        progress.end(step);
        install(home, libraries.resolve("shell/sh"));
        FileTree.date(root, metadata.created());
        return new PlatformImage(platform, metadata, base, layers(request, platform, metadata, work));
    }

    private List<Layer> layers(ImageRequest request, Platform platform, ImageMetadata metadata, Path work)
            throws IOException {
        Path root = work.resolve("root");
        LayerWriter writer = new LayerWriter(root, metadata.created());
        String step = "write the layers for " + platform.architecture();
        progress.begin(step);
        List<Layer> layers = new ArrayList<>();
        if (request.base().isEmpty()) {
            try (Stream<Path> top = Files.list(root)) {
                List<Path> paths = top.map(root::relativize)
                        .filter(path -> !HOME_PATH.startsWith(path))
                        .sorted()
                        .toList();
                layers.add(writer.write("C library from Debian", paths, work.resolve("libraries.tar.gz")));
            }
        }
        layers.add(writer.write("Java runtime", List.of(HOME_PATH.resolve("runtime")), work.resolve("runtime.tar.gz")));
        layers.add(writer.write("dependencies", jars(root, false), work.resolve("dependencies.tar.gz")));
        List<Path> own = new ArrayList<>(jars(root, true));
        own.add(HOME_PATH.resolve("bin"));
        own.add(HOME_PATH.resolve("LICENSE"));
        layers.add(writer.write("bucketwright", own, work.resolve("bucketwright.tar.gz")));
        progress.end(step);
        if (request.aotCache() && Platform.ofThisJvm().filter(platform::equals).isPresent()) {
            String training = "train the AOT cache";
            progress.begin(training);
            new AotTraining(distribution.home().resolve("lib/local"), request.output()).run(root.resolve(HOME), layers);
            List<Path> files =
                    AotTraining.files().stream().map(HOME_PATH::resolve).toList();
            layers.add(writer.write("AOT cache", files, work.resolve("aot.tar.gz")));
            progress.end(training);
        }
        return layers;
    }

    /** The jars of this project, or the others, as paths in the root file system. */
    private static List<Path> jars(Path root, boolean own) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve(HOME_PATH).resolve("lib"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> String.valueOf(file.getFileName()).startsWith("bucketwright-") == own)
                    .map(root::relativize)
                    .sorted()
                    .toList();
        }
    }

    private void install(Path home, Path shell) throws IOException {
        for (Path jar : distribution.jars()) {
            Path target = home.resolve(distribution.home().relativize(jar));
            Files.createDirectories(
                    home.resolve(distribution.home().relativize(Objects.requireNonNull(jar.getParent()))));
            Files.copy(jar, target);
        }
        Path launcher = Files.createDirectories(home.resolve("bin")).resolve("bucketwright");
        // No image has a shell where scripts expect one: ours is only for the launcher.
        Files.writeString(
                launcher,
                Files.readString(distribution.home().resolve("bin/bucketwright"))
                        .replaceFirst("#!/bin/sh\n", "#!/" + SHELL + "\n"));
        executable(launcher);
        executable(Files.copy(shell, home.resolve("bin/sh")));
        Files.copy(distribution.home().resolve("LICENSE"), home.resolve("LICENSE"));
    }

    private static void executable(Path file) throws IOException {
        if (!file.toFile().setExecutable(true, false)) {
            throw new IOException("Cannot make " + file + " executable");
        }
    }

    /** The commit that the clone is at, and whether files differ from it; empty if that is not known. */
    private Optional<String> revision(Path output) {
        return distribution
                .sourceTree()
                .flatMap(clone -> git(output, clone, "rev-parse", "HEAD")
                        .flatMap(lines -> lines.stream().findFirst())
                        .map(commit -> git(output, clone, "status", "--porcelain", "--untracked-files=no")
                                        .filter(List::isEmpty)
                                        .isPresent()
                                ? commit
                                : commit + "-dirty"));
    }

    private static Optional<List<String>> git(Path directory, Path clone, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", clone.toString()));
        command.addAll(List.of(arguments));
        List<String> lines = new ArrayList<>();
        int code = new ChildProcess(directory, Map.of()).run(command, lines::add);
        return code == 0 ? Optional.of(lines) : Optional.empty();
    }
}
