package io.bucketwright.volumes.directories.classes;

import io.bucketwright.volumes.directories.files.DirectoryOwner;

/** The decimal id of a user or a group. */
public final class IdNumber {

    private IdNumber() {}

    public static long parse(String text) {
        if (text.matches("\\d{1,10}") && Long.parseLong(text) <= DirectoryOwner.MAX_ID) {
            return Long.parseLong(text);
        }
        throw new IllegalArgumentException("must be a number from 0 to " + DirectoryOwner.MAX_ID);
    }
}
