package io.bucketwright.volumes.directories.files;

import java.io.IOException;

/** A marker or an identity that this version cannot read; nothing is done to what it stands for. */
public final class UnreadableMarker extends IOException {

    UnreadableMarker(String message) {
        super(message);
    }
}
