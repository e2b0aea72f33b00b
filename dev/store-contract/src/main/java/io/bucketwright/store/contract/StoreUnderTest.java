package io.bucketwright.store.contract;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The access of the tests to a store: through its implementation, as an application and as its administrator. */
public interface StoreUnderTest {

    /** The store. Each call may open another instance, because a store keeps no state. */
    BucketStore store();

    /** The store with invalid administrator's credentials. */
    BucketStore storeWithInvalidCredentials();

    /** A store at an address where nothing listens. */
    default BucketStore unreachableStore() {
        return storeAt("http://127.0.0.1:1").orElseThrow();
    }

    /**
     * A store with all its servers at another address, which waits for a response for up to a minute; empty if the author
     * implements {@link #unreachableStore} instead.
     */
    default Optional<BucketStore> storeAt(String endpoint) {
        return Optional.empty();
    }

    /**
     * A store that fails the N-th request after it took effect, and all later requests; empty if the author cannot simulate
     * that.
     *
     * @param requests the number N, starting at 1
     */
    default Optional<BucketStore> storeFailingAfter(int requests) {
        return Optional.empty();
    }

    /**
     * Whether the store creates a bucket and proves its owner with one request. If not, a crash after that request leaves a
     * bucket without owner; it is recovered if its name was generated, otherwise an administrator must decide.
     */
    default boolean createsBucketsWithOwner() {
        return true;
    }

    /** Whether the store has objects and valid credentials. If not, tests with applications are skipped. */
    default boolean hasObjects() {
        return true;
    }

    /** An application with the connection and the credentials of a bucket. */
    ObjectClient application(ProvisionedBucket bucket);

    /** A client without credentials; empty if the store has no anonymous requests. */
    default Optional<ObjectClient> anonymous(BucketName bucket) {
        return Optional.empty();
    }

    /** Creates a bucket as the administrator, without ownership tags. */
    void createBucket(BucketName bucket);

    /** Deletes a bucket and its contents as the administrator. Succeeds if the bucket does not exist. */
    void deleteBucket(BucketName bucket);

    boolean bucketExists(BucketName bucket);

    /** All tags of a bucket, including ownership tags; empty if the store has no tags. */
    Map<String, String> tags(BucketName bucket);

    /** Adds a tag as the administrator. */
    void addTag(BucketName bucket, String key, String value);

    /**
     * Adds old versions, delete markers and incomplete uploads to a bucket.
     *
     * @return whether this store has such contents
     */
    boolean addVersionsAndUploads(BucketName bucket);

    /** Whether the administrator sees this option on the bucket; empty if the author cannot find out. */
    default Optional<Boolean> isSet(BucketName bucket, BucketOption option) {
        return Optional.empty();
    }

    /** Whether applications can lock single objects of a bucket with object lock. If not, only buckets have a retention. */
    default boolean locksObjects() {
        return true;
    }

    /** What the store can let anonymous clients do, if it has {@code Capability.ANONYMOUS_ACCESS}. */
    default Set<AnonymousAccess> anonymousModes() {
        return Set.of(AnonymousAccess.READ_ONLY, AnonymousAccess.WRITE_ONLY, AnonymousAccess.READ_WRITE);
    }

    /** A user of the store that applications use, and that owns no bucket of the tests. */
    default String bucketOwner() {
        return "some-user";
    }

    /** A policy in the format of the store that lets everybody read the objects of the bucket. */
    default String publicReadPolicy(BucketName bucket) {
        return """
                {"Version": "2012-10-17", "Statement": [
                  {"Effect": "Allow", "Principal": "*", "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::%s/*"]}]}
                """.formatted(bucket);
    }

    /** Whether the store finds out with {@link BucketStore#verify} that a principal does not exist. */
    default boolean verifiesPrincipals() {
        return false;
    }

    /** The time until a change of access takes effect. */
    default Duration propagationDelay() {
        return Duration.ZERO;
    }
}
