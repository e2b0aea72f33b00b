package io.bucketwright.volumes.directories.files;

import java.io.IOException;

/** A marker or a root's identity that this version cannot read. Its directory or root is left unchanged. */
public final class MarkerFormatException extends IOException {

    MarkerFormatException(String message) {
        super(message);
    }
}
