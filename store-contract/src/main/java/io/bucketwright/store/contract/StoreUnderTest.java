package io.bucketwright.store.contract;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.connection.ProvisionedBucket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What an author says about the store that is to be tested. */
public interface StoreUnderTest {

    /** The store. Each call may open another: a store keeps no memory of its own. */
    BucketStore store();

    /** A store with credentials that are not the administrator's. */
    BucketStore storeWithWrongKeys();

    /** A store at an address where nobody answers. */
    BucketStore storeThatIsDown();

    /**
     * A store that fails all requests from the N-th on, after that one took effect; empty if that cannot be arranged.
     *
     * @param requests 1 for the first
     */
    default Optional<BucketStore> storeThatDiesAfter(int requests) {
        return Optional.empty();
    }

    /** Whether there are objects and credentials at all. If not, no application is ever started. */
    default boolean hasObjects() {
        return true;
    }

    /** An application with what was handed over. */
    ObjectClient application(ProvisionedBucket made);

    /** Makes a bucket by the administrator's own tools, without a mark. */
    void makeBucket(BucketName bucket);

    /** Deletes a bucket by the administrator's own tools, with all that is in it; what is gone is no error. */
    void removeBucket(BucketName bucket);

    boolean bucketExists(BucketName bucket);

    /** All tags of a bucket, marks too; empty if the store has none. */
    Map<String, String> tags(BucketName bucket);

    /** Adds a tag by the administrator's own tools. */
    void addTag(BucketName bucket, String key, String value);

    /**
     * Leaves in a bucket all that is easily forgotten when it is emptied: old versions, delete markers, unfinished
     * uploads.
     *
     * @return whether there are such things in this store
     */
    boolean leaveTraces(BucketName bucket);

    /** How long the store may take until a change of access is in force. */
    default Duration patience() {
        return Duration.ZERO;
    }
}
