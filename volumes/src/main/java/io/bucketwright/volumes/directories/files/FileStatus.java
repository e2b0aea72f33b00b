package io.bucketwright.volumes.directories.files;

/**
 * The result of {@code statx}; of a symbolic link, the status of the link itself.
 *
 * @param mode type and permissions
 * @param bytes disk space
 * @param mount identifies the mounted file system
 */
record FileStatus(int mode, int uid, int gid, long bytes, long inode, String mount) {

    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;

    boolean isDirectory() {
        return (mode & TYPE) == DIRECTORY;
    }

    int permissions() {
        return mode & 07777;
    }
}
