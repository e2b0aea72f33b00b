package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.s3.identity.Identity;
import java.util.Optional;

/** The identity of a store: chosen by its class, or detected by the first call. */
interface IdentitySource extends AutoCloseable {

    /** The identity; may send requests. */
    Identity get(StoreCall call);

    /** The identity if it is known without a request. */
    Optional<Identity> known();

    /** The kind that was detected; empty if the class chose it, or it is not known yet. */
    Optional<String> detected();

    @Override
    void close();

    static IdentitySource of(Identity identity) {
        return new Chosen(identity);
    }

    /** An identity that the class chose. */
    record Chosen(Identity identity) implements IdentitySource {

        @Override
        public Identity get(StoreCall call) {
            return identity;
        }

        @Override
        public Optional<Identity> known() {
            return Optional.of(identity);
        }

        @Override
        public Optional<String> detected() {
            return Optional.empty();
        }

        @Override
        public void close() {
            identity.close();
        }
    }
}
