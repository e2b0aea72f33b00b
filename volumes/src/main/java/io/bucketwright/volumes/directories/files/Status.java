package io.bucketwright.volumes.directories.files;

/**
 * What the file system knows about an entry; of a link, about the link.
 *
 * @param mode type and permissions, as the kernel packs them
 * @param mount tells one mounted file system from another
 */
record Status(int mode, int uid, int gid, long bytes, long inode, String mount) {

    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;

    boolean isDirectory() {
        return (mode & TYPE) == DIRECTORY;
    }

    int permissions() {
        return mode & 07777;
    }
}
