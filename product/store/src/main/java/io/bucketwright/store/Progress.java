package io.bucketwright.store;

/** The progress of a long operation. */
public sealed interface Progress {

    /** The operation is complete. */
    record Done() implements Progress {}

    /**
     * One slice is complete and more work is left: call again with the same request.
     *
     * @param removed the number of objects, versions and uploads that this slice deleted; always positive, so that the operation ends
     */
    record More(long removed) implements Progress {}
}
