package io.bucketwright.volumes.directories.classes;

/** A StorageClass with an invalid parameter or field; the message names it. */
public final class InvalidClassException extends RuntimeException {

    InvalidClassException(String message) {
        super(message);
    }
}
