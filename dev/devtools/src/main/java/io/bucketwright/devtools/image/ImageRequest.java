package io.bucketwright.devtools.image;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What image to build.
 *
 * @param output the directory of the results
 * @param reference repository and tag; empty for {@code bucketwright:VERSION}
 * @param base an OCI image layout to put the layers on; empty for Debian's C library alone
 * @param jdks JDKs to take the runtime of a platform from
 * @param aotCache whether to train an AOT cache for the platform of this machine
 * @param source the address of the source code, for a label
 */
record ImageRequest(
        Path output,
        List<Platform> platforms,
        Optional<String> reference,
        Optional<Path> base,
        Map<Platform, Path> jdks,
        boolean aotCache,
        Optional<String> source) {

    ImageRequest {
        platforms = List.copyOf(platforms);
        jdks = Map.copyOf(jdks);
        if (platforms.isEmpty()) {
            throw new IllegalArgumentException("An image needs a platform");
        }
    }
}
