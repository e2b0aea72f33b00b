package io.bucketwright.volumes.directories.files;

/**
 * The result of {@code statx}; of a symbolic link, the status of the link itself.
 *
 * @param mode type and permissions
 * @param bytes disk space
 * @param changed when it was last changed, in nanoseconds
 * @param mountRoot whether a file system is mounted there
 * @param mount identifies the mounted file system
 */
record FileStatus(int mode, int uid, int gid, long bytes, long inode, long changed, boolean mountRoot, String mount) {

    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;

    boolean isDirectory() {
        return (mode & TYPE) == DIRECTORY;
    }

    boolean isSameFile(FileStatus other) {
        return inode == other.inode && mount.equals(other.mount);
    }

    int permissions() {
        return mode & 07777;
    }
}
