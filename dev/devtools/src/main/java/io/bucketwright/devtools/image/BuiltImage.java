package io.bucketwright.devtools.image;

import java.nio.file.Path;
import java.util.List;

/**
 * An image that was built.
 *
 * @param archive in the OCI image layout
 * @param digest the digest by which a registry identifies the image
 * @param layers the layers of the first platform
 * @param sboms one for each platform
 */
record BuiltImage(String reference, Path archive, Digest digest, List<Layer> layers, List<Path> sboms) {}
