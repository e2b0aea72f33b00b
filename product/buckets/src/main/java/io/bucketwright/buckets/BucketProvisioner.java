package io.bucketwright.buckets;

import io.bucketwright.buckets.claims.ClaimController;
import io.bucketwright.buckets.claims.ClaimLimits;
import io.bucketwright.buckets.claims.UsageMeasurement;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.stores.AdministratorSecrets;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.buckets.stores.SingleStore;
import io.bucketwright.buckets.stores.StoreMetrics;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.Stores;
import io.bucketwright.store.observation.MeasuredStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A provisioner for ObjectBucketClaims: watches claims, calls a store, and writes the credentials to Secrets.
 *
 * {@snippet :
 * try (ControllerProcess process = BucketProvisioner.builder()
 *         .provisioner("example.com/bucket")
 *         .store(new MyStore())
 *         .build()) {
 *     process.run();
 * }
 * }
 */
public final class BucketProvisioner {

    private BucketProvisioner() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of a provisioner. Only its name and its store are required. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private @Nullable ProvisionerName provisioner;
        private @Nullable BucketStore store;
        private @Nullable Stores stores;
        private String kind = "";
        private String namespace = "";
        private final Map<String, String> labels = new HashMap<>();
        private final Map<String, String> classDefaults = new HashMap<>();
        private ClaimLimits limits = ClaimLimits.standard();
        private boolean reclaimOrphans;
        private Duration usageInterval = Duration.ZERO;
        private Duration verifyInterval = Duration.ZERO;

        private Builder() {
            super("bucketwright.io/buckets");
        }

        /** The name of this provisioner in StorageClasses, for example {@code example.com/bucket}. */
        public Builder provisioner(String name) {
            provisioner = new ProvisionerName(name);
            return this;
        }

        /** One store for all classes. The caller closes it after the process. */
        public Builder store(BucketStore value) {
            store = value;
            return this;
        }

        /** Stores of one kind, opened by the parameters of each class. They are closed with the process. */
        public Builder stores(Stores value, String kindOfStore) {
            stores = value;
            kind = kindOfStore;
            return this;
        }

        /** Serves only claims in this namespace. Default: all namespaces. */
        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        /** Labels for all objects that the provisioner creates, in addition to the provisioner label. */
        public Builder labels(Map<String, String> value) {
            labels.putAll(value);
            return this;
        }

        @Override
        public Builder workers(int value) {
            limits = ClaimLimits.withWorkers(value, limits.storeTimeout());
            return this;
        }

        /** The timeout of one call to the store, which can be many requests; each of them has at most ten seconds. */
        public Builder storeTimeout(Duration value) {
            limits = new ClaimLimits(limits.workers(), limits.storeCalls(), value);
            return this;
        }

        /** Releases the bucket of a claim that no longer exists by its reclaim policy, instead of only revoking access. */
        public Builder reclaimOrphans(boolean value) {
            reclaimOrphans = value;
            return this;
        }

        /** Class parameters for classes that do not set them. Default: none. */
        public Builder classDefaults(Map<String, String> value) {
            classDefaults.putAll(value);
            return this;
        }

        /** Measures the usage of each bucket at this interval and publishes it as metrics. Default: never. */
        public Builder usageInterval(Duration value) {
            usageInterval = value;
            return this;
        }

        /**
         * Verifies at this interval that the store still has the bucket and the user of each bound claim, and reports on the
         * claim what is missing. At least a minute. Default: never.
         */
        public Builder verifyInterval(Duration value) {
            verifyInterval = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            if (provisioner == null) {
                throw new IllegalStateException("A provisioner needs a name: call provisioner(...)");
            }
            StoreSource source = source(context);
            process.onClose(source::close);
            ProvisionerSettings settings = new ProvisionerSettings(
                    provisioner, labels, context.clusterId(), namespace, reclaimOrphans, classDefaults, verifyInterval);
            ClaimController.register(context, settings, source, limits);
            if (usageInterval.isPositive()) {
                UsageMeasurement.register(context, settings, source, usageInterval);
            }
        }

        private StoreSource source(ControllerContext context) {
            if (store != null && stores == null) {
                String name = store.getClass().getSimpleName();
                return new SingleStore(new MeasuredStore(name, store, new StoreMetrics(context.meters())));
            }
            if (stores != null && store == null) {
                return new ClassStores(
                        stores, kind, AdministratorSecrets.of(context), new StoreMetrics(context.meters()));
            }
            throw new IllegalStateException("A provisioner needs one store: call store(...) or stores(...)");
        }
    }
}
