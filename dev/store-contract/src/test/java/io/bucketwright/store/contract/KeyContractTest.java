package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.Rotating;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.options.Capability;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** The contract fails a store whose grant deletes the keys that applications use: a rotation would have no overlap. */
final class KeyContractTest {

    @Test
    void aStoreWhoseGrantKeepsPublishedKeysPasses() {
        for (boolean rotates : List.of(true, false)) {
            KeyContract tests = new Tests(new KeyStore(true, rotates));
            assertThatCode(tests::publishedKeysAreKeptByTheNextGrant).doesNotThrowAnyException();
            assertThatCode(tests::unpublishedKeysAreDeletedByTheNextGrant).doesNotThrowAnyException();
        }
        KeyContract tests = new Tests(new KeyStore(true, true));
        assertThatCode(tests::bothKeysAreValidUntilTheOldOneIsRetired).doesNotThrowAnyException();
        assertThatCode(new Tests(new KeyStore(true, true))::aRotationWithALostKeyStartsAgain)
                .doesNotThrowAnyException();
    }

    @Test
    void aStoreWhoseGrantDeletesOtherKeysFails() {
        for (boolean rotates : List.of(true, false)) {
            KeyContract tests = new Tests(new KeyStore(false, rotates));
            assertThatThrownBy(tests::publishedKeysAreKeptByTheNextGrant).isInstanceOf(ObjectClient.Refused.class);
        }
        for (int test = 0; test < 2; test++) {
            KeyContract tests = new Tests(new KeyStore(false, true));
            List<Runnable> rotations =
                    List.of(tests::bothKeysAreValidUntilTheOldOneIsRetired, tests::aRotationWithALostKeyStartsAgain);
            assertThatThrownBy(rotations.get(test)::run).isInstanceOf(ObjectClient.Refused.class);
        }
    }

    /** A test that is skipped although the store declares what it tests would hide that nothing was tested. */
    @Test
    void anAbortedTestOfADeclaredCapabilityIsFound() {
        CapabilityCoverage.Tests coverage = new CapabilityCoverage.Tests();
        Tests declared = new Tests(new KeyStore(true, true));
        declared.needs(Capability.ROTATE);
        coverage.add("passed", declared, null);
        Tests lacking = new Tests(new KeyStore(true, false));
        TestAbortedException skipped =
                catchThrowableOfType(TestAbortedException.class, () -> lacking.needs(Capability.ROTATE));
        coverage.add("skipped", lacking, skipped);
        assertThat(coverage.aborted()).isEmpty();
        coverage.add("aborted", declared, new TestAbortedException("the client cannot do it"));
        assertThat(coverage.aborted()).containsExactly("aborted of [ROTATE]");
    }

    private static final class Tests extends BucketStoreContract {
        Tests(KeyStore store) {
            super(store);
        }
    }

    /** A store whose objects can be used with every valid key. */
    private static final class KeyStore extends NoneStoreUnderTest implements Rotating {
        private final boolean keepsPublishedKeys;
        private final boolean rotates;
        private final Set<String> valid = new HashSet<>();
        private final Map<String, String> objects = new HashMap<>();

        KeyStore(boolean keepsPublishedKeys, boolean rotates) {
            this.keepsPublishedKeys = keepsPublishedKeys;
            this.rotates = rotates;
        }

        @Override
        public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
            valid.retainAll(request.publishedKeys());
            return issued(super.store().provision(call, request));
        }

        @Override
        public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
            valid.retainAll(keepsPublishedKeys ? request.publishedKeys() : Set.of());
            return issued(super.store().grant(call, request));
        }

        private ProvisionedBucket issued(ProvisionedBucket made) {
            valid.add(Contract.keyId(made));
            return made;
        }

        @Override
        public void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
            valid.retainAll(keptKeys);
        }

        @Override
        public void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Progress delete(StoreCall call, DeleteRequest request) {
            return super.store().delete(call, request);
        }

        @Override
        public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
            valid.clear();
        }

        @Override
        public Set<Capability> capabilities() {
            return rotates ? Set.of(Capability.ROTATE) : Set.of();
        }

        @Override
        public BucketStore store() {
            return this;
        }

        @Override
        public boolean hasObjects() {
            return true;
        }

        @Override
        public ObjectClient application(ProvisionedBucket bucket) {
            return new Application(this, Contract.keyId(bucket));
        }
    }

    private record Application(KeyStore store, String keyId) implements ObjectClient {

        private Map<String, String> objects() {
            if (!store.valid.contains(keyId)) {
                throw new Refused("the key is not valid", new IllegalStateException(keyId));
            }
            return store.objects;
        }

        @Override
        public void put(String key, String text) {
            objects().put(key, text);
        }

        @Override
        public String get(String key) {
            return objects().getOrDefault(key, "");
        }

        @Override
        public List<String> list(String prefix) {
            return List.copyOf(objects().keySet());
        }

        @Override
        public void delete(String key) {
            objects().remove(key);
        }

        @Override
        public void tryForbidden(ForbiddenOperation operation) {
            throw new Refused("not allowed", new IllegalStateException(operation.name()));
        }
    }
}
