package io.bucketwright.volumes.directories.files;

/** The user and group id of a directory. */
public record DirectoryOwner(long uid, long gid) {

    /** The largest id; the next number means "no change" in {@code chown}. */
    public static final long MAX_ID = 0xfffffffeL;

    public DirectoryOwner {
        if (uid < 0 || uid > MAX_ID || gid < 0 || gid > MAX_ID) {
            throw new IllegalArgumentException("Owner ids must be from 0 to " + MAX_ID + ", not " + uid + ":" + gid);
        }
    }

    @Override
    public String toString() {
        return uid + ":" + gid;
    }
}
