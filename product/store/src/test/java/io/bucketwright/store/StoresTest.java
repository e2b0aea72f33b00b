package io.bucketwright.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class StoresTest {

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();
    private final Stores stores = new Stores(List.of(new Counting()), now::get);
    private final Parameters parameters = new Parameters(Map.of("endpoint", "a"));

    @Test
    void theSameParametersAndSecretShareAStore() {
        try (Stores.Lease first = lease("1");
                Stores.Lease second = lease("1")) {
            assertThat(first.store()).isSameAs(second.store());
        }
        try (Stores.Lease third = lease("1")) {
            assertThat(third.store()).isNotNull();
        }
        assertThat(opened).hasValue(1);
        assertThat(closed).hasValue(0);
    }

    @Test
    void aNewSecretOpensAnotherStoreAndTheOldOneIsClosedAfterItsLastUse() {
        Stores.Lease old = lease("1");
        lease("2").close();
        assertThat(opened).hasValue(2);
        assertThat(closed).hasValue(0);
        old.close();
        old.close();
        assertThat(closed).hasValue(1);
        assertThat(stores.size()).isEqualTo(1);
    }

    @Test
    void twoSecretsForTheSameParametersDoNotCloseEachOthersStore() {
        for (int i = 0; i < 3; i++) {
            lease("1").close();
            stores.lease("counting", parameters, "other", "7", AdministratorSecret::none)
                    .close();
        }
        assertThat(opened).hasValue(2);
        assertThat(closed).hasValue(0);
    }

    @Test
    void anIdleStoreIsClosed() {
        lease("1").close();
        now.addAndGet(Duration.ofMinutes(11).toNanos());
        stores.lease("counting", new Parameters(Map.of("endpoint", "b")), "admin", "1", AdministratorSecret::none)
                .close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void closingClosesAll() {
        Stores.Lease lease = lease("1");
        stores.close();
        assertThat(closed).hasValue(1);
        lease.close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void anUnknownKindIsNamed() {
        assertThatThrownBy(() -> stores.factory("tape"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("\"tape\" is unknown")
                .hasMessageContaining("counting");
    }

    @Test
    void theInstalledKindsAreFound() {
        try (Stores installed = Stores.installed()) {
            assertThat(installed.names()).contains("none");
        }
    }

    private Stores.Lease lease(String secretVersion) {
        return stores.lease("counting", parameters, "admin", secretVersion, AdministratorSecret::none);
    }

    private final class Counting implements StoreFactory {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public ParameterSchema parameters() {
            return ParameterSchema.of(Parameter.required("endpoint", "Where."));
        }

        @Override
        public BucketStore open(Parameters parameters, AdministratorSecret administrator) {
            opened.incrementAndGet();
            return new Minimal();
        }
    }

    private final class Minimal implements BucketStore {
        @Override
        public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
            throw new AssertionError();
        }

        @Override
        public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
            throw new AssertionError();
        }

        @Override
        public Progress delete(StoreCall call, DeleteRequest request) {
            throw new AssertionError();
        }

        @Override
        public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {}

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
