package io.bucketwright.cosi.core;

import java.time.Instant;

/**
 * What an API records about one bucket: whatever a sidecar needs to know after a crash. The record was written by or for this
 * very object, by its uid, unless it was restored from a backup.
 */
public interface BucketRecord {

    /** The name by which the driver is asked to create it. */
    String name();

    /** The id by which the driver finds it: recorded, or written by an administrator. Empty if none is known. */
    String id();

    /** The id in the record of the object that a restored one is a copy of; empty if there is none. */
    String formerId();

    /** Whether nobody else's bucket can have the name, because it contains the uid of the claim that this one is bound to. */
    boolean ownsName();

    /** Whether the finalizers and this id are recorded. Before that the driver is not called. */
    boolean isRecorded(String knownId);

    /** Whether it is published as ready to use. */
    boolean isReady();

    /** Whether a sidecar has recorded that it asks the driver to delete the bucket. */
    boolean isDeletionRecorded();

    boolean isBeingDeleted();

    /** When the deletion was requested. */
    Instant deletionRequested();

    /** Whether the object waits for the sidecar before it is deleted. */
    boolean isProtected();

    /** Whether its policy is to delete the bucket with it. */
    boolean deletesBackend();

    /** Whether it was restored from a backup: its record is that of another object, which may still use the bucket. */
    boolean isRestored();

    /** Whether an administrator has confirmed that this restored object, and nobody else, uses the bucket. */
    boolean isConfirmed();
}
