package io.bucketwright.volumes.directories.files;

import java.io.IOException;

/** The root is not there, or another one is in its place. */
public final class RootLost extends IOException {

    RootLost(String message) {
        super(message);
    }
}
