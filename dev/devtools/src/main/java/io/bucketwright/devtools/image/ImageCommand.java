package io.bucketwright.devtools.image;

import io.bucketwright.devtools.local.LocalToolCommand;
import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.binaries.ProgramCache;
import io.bucketwright.local.report.Progress;
import io.bucketwright.local.report.TerminalProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright image}. */
@Command(
        name = "image",
        mixinStandardHelpOptions = true,
        description = {
            "Builds a container image of this installation without a container engine.",
            "Writes an archive in the OCI image layout and an SBOM in the CycloneDX format. The image has a Java runtime made"
                    + " with jlink, Debian's C library, and an AOT cache for a fast start; it runs as user 65532 with a"
                    + " read-only root file system. Requires a JDK 25, and apt-get and dpkg as Debian and Ubuntu have them."
        })
public final class ImageCommand extends LocalToolCommand {

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Directory of the results (default: dev/devtools/target/image).")
    private @Nullable Path output;

    @Option(
            names = "--tag",
            paramLabel = "REFERENCE",
            description = "Repository and tag of the image (default: bucketwright:VERSION).")
    private @Nullable String reference;

    @Option(
            names = "--platform",
            split = ",",
            paramLabel = "PLATFORM",
            description =
                    "linux/amd64, linux/arm64 or both (default: that of this machine). The AOT cache is trained only for"
                            + " the platform of this machine.")
    private List<String> platforms = List.of();

    @Option(
            names = "--base",
            paramLabel = "PATH",
            description =
                    "Put the layers on this image instead of Debian's C library: a directory or an archive in the OCI"
                            + " image layout. It needs glibc and libgcc, such as distroless `cc`.")
    private @Nullable Path base;

    @Option(
            names = "--amd64-jdk",
            paramLabel = "DIR",
            description = "JDK 25 or Java runtime for linux/amd64 (default: this JDK, or a runtime from PyPI).")
    private @Nullable Path amd64;

    @Option(
            names = "--arm64-jdk",
            paramLabel = "DIR",
            description = "JDK 25 or Java runtime for linux/arm64 (default: this JDK, or a runtime from PyPI).")
    private @Nullable Path arm64;

    @Option(
            names = "--no-aot-cache",
            description =
                    "Leave out the AOT cache: the image is smaller and bit for bit reproducible on any machine, and"
                            + " starts more slowly.")
    private boolean withoutCache;

    @Option(
            names = "--source",
            paramLabel = "URL",
            description = "Address of the source code, for a label of the image.")
    private @Nullable String source;

    @Override
    protected int run() throws IOException {
        Progress progress = TerminalProgress.standard();
        Distribution distribution = Distribution.ofThisCommand();
        Packages packages =
                new Packages(ProgramCache.of(System.getenv(), Path.of(System.getProperty("user.home"))), progress);
        BuiltImage image = new ImageBuild(distribution, packages, progress).run(request(distribution));
        print(image);
        return 0;
    }

    private ImageRequest request(Distribution distribution) {
        Map<Platform, Path> jdks = new EnumMap<>(Platform.class);
        Optional.ofNullable(amd64).ifPresent(path -> jdks.put(Platform.AMD64, path));
        Optional.ofNullable(arm64).ifPresent(path -> jdks.put(Platform.ARM64, path));
        return new ImageRequest(
                Optional.ofNullable(output).orElseGet(distribution::images),
                parsedPlatforms(),
                Optional.ofNullable(reference),
                Optional.ofNullable(base),
                jdks,
                !withoutCache,
                Optional.ofNullable(source));
    }

    private List<Platform> parsedPlatforms() {
        try {
            return platforms.isEmpty()
                    ? Platform.ofThisJvm().map(List::of).orElseThrow(() -> usageError("Name a --platform"))
                    : platforms.stream().map(Platform::parse).distinct().toList();
        } catch (IllegalArgumentException e) {
            throw usageError(e);
        }
    }

    private void print(BuiltImage image) {
        PrintWriter out = out();
        long size = image.layers().stream().mapToLong(Layer::size).sum();
        out.println("Image " + image.reference() + ", " + megabytes(size) + " compressed, in " + image.archive());
        for (Layer layer : image.layers()) {
            out.println("  layer " + layer.digest() + "  " + megabytes(layer.size()) + "  " + layer.title());
        }
        out.println("  digest " + image.digest());
        image.sboms().forEach(sbom -> out.println("  SBOM " + sbom));
        out.println("Push it with `skopeo copy oci-archive:" + image.archive() + " docker://REGISTRY/"
                + image.reference() + "`, or load it with `docker load` or `ctr -n k8s.io images import`.");
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
