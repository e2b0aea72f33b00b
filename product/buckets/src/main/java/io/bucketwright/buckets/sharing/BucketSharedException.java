package io.bucketwright.buckets.sharing;

/** Other claims use a bucket that is to be destroyed, or it is not proven that they use another one. */
public final class BucketSharedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int users;
    private final boolean proven;

    BucketSharedException(int users, boolean proven) {
        super("Used by " + users + " other claims");
        this.users = users;
        this.proven = proven;
    }

    /** Whether it is certain that it is the same bucket. Otherwise a store may tell later. */
    public boolean isProven() {
        return proven;
    }

    /** How many other claims use a bucket of that name. */
    public int users() {
        return users;
    }
}
