package io.bucketwright.volumes.directories.classes;

/** A class whose parameters make no sense; the message says which and why. */
public final class InvalidClass extends RuntimeException {

    InvalidClass(String message) {
        super(message);
    }
}
