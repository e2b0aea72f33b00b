package io.bucketwright.store.azure;

import java.util.List;

/**
 * A page of a list of blobs.
 *
 * @param next continues the list; empty at its end
 */
record BlobPage(List<Blob> blobs, String next) {

    BlobPage {
        blobs = List.copyOf(blobs);
    }

    /**
     * A blob, a snapshot, a version or an upload without a committed block.
     *
     * @param snapshot empty if it is none
     * @param version empty if it is not a previous version
     */
    record Blob(String name, String snapshot, String version, long length) {}
}
