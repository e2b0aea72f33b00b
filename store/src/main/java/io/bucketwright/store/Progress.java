package io.bucketwright.store;

/** How far a long act has come. */
public sealed interface Progress {

    /** Nothing is left to do. */
    record Done() implements Progress {}

    /**
     * A slice was done and more is left: call again, with the same request.
     *
     * @param removed how many objects, versions and uploads this slice removed; more than none, so that it ends
     */
    record More(long removed) implements Progress {}
}
