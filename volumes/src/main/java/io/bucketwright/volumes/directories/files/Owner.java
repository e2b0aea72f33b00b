package io.bucketwright.volumes.directories.files;

/** Who owns a directory, in numbers. */
public record Owner(long uid, long gid) {

    /** The largest; the one above means "no change" to the kernel. */
    public static final long LARGEST = 0xfffffffeL;

    public Owner {
        if (uid < 0 || uid > LARGEST || gid < 0 || gid > LARGEST) {
            throw new IllegalArgumentException(
                    "An owner has numbers from 0 to " + LARGEST + ", not " + uid + ":" + gid);
        }
    }

    @Override
    public String toString() {
        return uid + ":" + gid;
    }
}
