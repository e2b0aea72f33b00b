package io.bucketwright.buckets;

import io.bucketwright.buckets.claims.ClaimController;
import io.bucketwright.buckets.claims.ClaimLimits;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.stores.AdministratorSecrets;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.buckets.stores.SingleStore;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.buckets.usage.UsageController;
import io.bucketwright.runtime.engine.ControllerBuilder;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.Stores;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A whole provisioner in one process: watches claims, calls a store, hands over what it makes.
 *
 * {@snippet :
 * try (BucketProvisioner provisioner = BucketProvisioner.builder()
 *         .provisioner("example.com/bucket")
 *         .store(new MyStore())
 *         .build()) {
 *     provisioner.run();
 * }
 * }
 */
public final class BucketProvisioner implements AutoCloseable {

    private final ControllerProcess process;
    private final StoreSource stores;

    private BucketProvisioner(ControllerProcess process, StoreSource stores) {
        this.process = process;
        this.stores = stores;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts, and returns at once; an API server that is away is waited for. */
    public BucketProvisioner start() {
        process.start();
        return this;
    }

    /** Waits until claims are worked on, or would be if this process led. */
    public void awaitWorking() throws InterruptedException {
        process.awaitWorking();
    }

    /** Starts, and returns when another thread closes it. */
    public void run() throws InterruptedException {
        process.start();
        process.awaitClosed();
    }

    /** Finishes what is in work, gives the lease back, and ends. */
    @Override
    public void close() {
        process.close();
        stores.close();
    }

    /** What a provisioner is told; only its name and its store are needed. */
    public static final class Builder extends ControllerBuilder<Builder> {

        private @Nullable ProvisionerName provisioner;
        private @Nullable BucketStore store;
        private @Nullable Stores stores;
        private String kind = "";
        private String namespace = "";
        private final Map<String, String> labels = new HashMap<>();
        private ClaimLimits limits = ClaimLimits.standard();
        private boolean reclaimOrphans;
        private Duration usageEvery = Duration.ZERO;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** The name that StorageClasses call this provisioner by, such as {@code example.com/bucket}. */
        public Builder provisioner(String name) {
            provisioner = new ProvisionerName(name);
            return this;
        }

        /** One store for all classes. The caller closes it, after the provisioner. */
        public Builder store(BucketStore value) {
            store = value;
            return this;
        }

        /** Stores of one kind, opened by what each class says; they are closed with the provisioner. */
        public Builder stores(Stores value, String kindOfStore) {
            stores = value;
            kind = kindOfStore;
            return this;
        }

        /** Serves the claims of one namespace; without it, all. */
        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        /** Adds labels to everything that is made, beside the provisioner's own. */
        public Builder labels(Map<String, String> value) {
            labels.putAll(value);
            return this;
        }

        /** How many claims are worked on at once. */
        public Builder workers(int value) {
            limits = new ClaimLimits(value, Math.max(1, value * 3 / 4), limits.storeTimeout());
            return this;
        }

        /** How long one call to the store may take. */
        public Builder storeCall(Duration value) {
            limits = new ClaimLimits(limits.workers(), limits.storeCalls(), value);
            return this;
        }

        /** Treats the bucket of a claim that vanished by its reclaim policy, instead of only revoking access. */
        public Builder reclaimOrphansByPolicy(boolean value) {
            reclaimOrphans = value;
            return this;
        }

        /** Measures how much each bucket holds, about this often, and shows it as metrics; without it, nothing is. */
        public Builder usageEvery(Duration value) {
            usageEvery = value;
            return this;
        }

        public BucketProvisioner build() {
            ProvisionerName name = Optional.ofNullable(provisioner)
                    .orElseThrow(() -> new IllegalStateException("A provisioner needs a name: call provisioner(...)"));
            if ((store == null) == (stores == null)) {
                throw new IllegalStateException("A provisioner needs one store: call store(...) or stores(...)");
            }
            ControllerProcess process = open();
            ControllerContext context = role(process, "bucketwright.io/buckets");
            StoreSource source = store != null
                    ? new SingleStore(store)
                    : new ClassStores(
                            Objects.requireNonNull(stores),
                            kind,
                            new AdministratorSecrets(context.connection().reader()));
            ProvisionerSettings settings = new ProvisionerSettings(name, labels, process.clusterId(), namespace, reclaimOrphans);
            process.with(ClaimController.of(context, settings, source, limits));
            if (usageEvery.isPositive()) {
                process.with(UsageController.of(context, settings, source, usageEvery));
            }
            return new BucketProvisioner(process, source);
        }
    }
}
