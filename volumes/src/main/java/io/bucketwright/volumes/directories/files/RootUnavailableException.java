package io.bucketwright.volumes.directories.files;

import java.io.IOException;

/** The root does not exist, or is not the root it was: its disk may be unmounted. */
public final class RootUnavailableException extends IOException {

    RootUnavailableException(String message) {
        super(message);
    }
}
