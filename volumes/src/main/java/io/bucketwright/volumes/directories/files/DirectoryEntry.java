package io.bucketwright.volumes.directories.files;

/** One entry of a directory listing. Its name is bytes, because Linux file names have no encoding. */
final class DirectoryEntry {

    static final byte DIRECTORY = 4;

    private final byte[] name;
    private final boolean directory;

    DirectoryEntry(byte[] name, boolean directory) {
        this.name = name;
        this.directory = directory;
    }

    byte[] name() {
        return name;
    }

    /** Whether the listing reported a directory. Some file systems do not report types, so false proves nothing. */
    boolean directory() {
        return directory;
    }

    boolean isSelfOrParent() {
        return name.length <= 2 && name[0] == '.' && (name.length == 1 || name[1] == '.');
    }
}
