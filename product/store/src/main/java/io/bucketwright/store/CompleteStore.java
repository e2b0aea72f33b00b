package io.bucketwright.store;

/** A store that implements everything, though a server may lack some of it. */
public interface CompleteStore extends Rotating, Adopting, Listing, Measuring {}
