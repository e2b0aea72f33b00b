package io.bucketwright.devtools.image;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.binaries.ProgramCache;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An image of this installation for a node of this machine, as {@code bucketwright image} without options builds it.
 *
 * @param reference repository and tag
 * @param archive in the OCI image layout
 */
public record LocalImage(String reference, Path archive) {

    /**
     * Builds it, unless it was built before from the same files.
     *
     * @throws CommandException if it cannot be built
     */
    public static LocalImage provide(Progress progress) {
        try {
            Distribution distribution = Distribution.ofThisCommand();
            Platform platform = Platform.ofThisJvm()
                    .orElseThrow(() -> new CommandException(
                            "There is no image for this machine: only for Linux on x86_64 and arm64."));
            Path archive = distribution.images().resolve(distribution.archive(List.of(platform)));
            if (distribution.isOlderThan(archive)) {
                return new LocalImage(distribution.reference(), archive);
            }
            Packages packages =
                    new Packages(ProgramCache.of(System.getenv(), Path.of(System.getProperty("user.home"))), progress);
            ImageRequest request = new ImageRequest(
                    distribution.images(),
                    List.of(platform),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    true,
                    Optional.empty());
            BuiltImage built = new ImageBuild(distribution, packages, progress).run(request);
            return new LocalImage(built.reference(), built.archive());
        } catch (IOException e) {
            throw new CommandException("Cannot build the image: " + e.getMessage(), e);
        }
    }
}
