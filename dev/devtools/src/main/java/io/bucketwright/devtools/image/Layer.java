package io.bucketwright.devtools.image;

import java.nio.file.Path;

/**
 * A layer of an image, compressed in a file.
 *
 * @param title what is in it, for the history of the image
 * @param mediaType how it is compressed
 * @param digest of the file
 * @param diffId digest of the archive in it
 */
record Layer(String title, String mediaType, Path file, long size, Digest digest, Digest diffId) {

    static final String GZIP = "application/vnd.oci.image.layer.v1.tar+gzip";
}
