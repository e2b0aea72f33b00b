package io.bucketwright.volumes.directories.files;

/** A name in a directory, as the bytes it is: tenants are not bound to any encoding. */
final class Entry {

    static final byte DIRECTORY = 4;

    private final byte[] name;
    private final boolean directory;

    Entry(byte[] name, boolean directory) {
        this.name = name;
        this.directory = directory;
    }

    byte[] name() {
        return name;
    }

    /** Whether the file system says so without being asked again; a hint, never a proof. */
    boolean directory() {
        return directory;
    }

    boolean isSelfOrParent() {
        return name.length <= 2 && name[0] == '.' && (name.length == 1 || name[1] == '.');
    }
}
