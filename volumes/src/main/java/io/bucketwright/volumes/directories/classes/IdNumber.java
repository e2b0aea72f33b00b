package io.bucketwright.volumes.directories.classes;

import io.bucketwright.volumes.directories.files.Owner;

/** The number of a user or a group, as people write it. */
public final class IdNumber {

    private IdNumber() {}

    public static long parse(String text) {
        if (text.matches("\\d{1,10}") && Long.parseLong(text) <= Owner.LARGEST) {
            return Long.parseLong(text);
        }
        throw new IllegalArgumentException("must be a number from 0 to " + Owner.LARGEST);
    }
}
