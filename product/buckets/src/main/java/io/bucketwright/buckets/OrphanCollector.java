package io.bucketwright.buckets;

import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.buckets.orphans.OrphanController;
import io.bucketwright.buckets.orphans.OrphanDecision;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds ObjectBuckets of all provisioners whose claim no longer exists, and reports them. Deletes those of the named
 * provisioners after a grace period, so that their provisioner releases the bucket. Run one for each cluster.
 */
public final class OrphanCollector {

    private OrphanCollector() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of the orphan collector. All of them are optional. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private Duration gracePeriod = Duration.ofHours(1);
        private boolean dryRun;
        private final Set<String> provisioners = new HashSet<>();
        private final Set<String> labelled = new HashSet<>();

        private Builder() {
            super("bucketwright.io/orphans");
        }

        /** How long an orphan is only reported. Default: one hour. */
        public Builder gracePeriod(Duration value) {
            gracePeriod = value;
            return this;
        }

        /** Adds a provisioner whose orphans are deleted. Orphans of other provisioners are only reported. */
        public Builder provisioner(String name) {
            provisioners.add(new ProvisionerName(name).text());
            return this;
        }

        /**
         * Adds a provisioner of another project, such as Rook or NooBaa, whose orphans are deleted. Its ObjectBuckets are known
         * by their label only, which several names can share.
         */
        public Builder foreignProvisioner(String name) {
            labelled.add(new ProvisionerName(name).text());
            return provisioner(name);
        }

        /** Only reports orphans and changes nothing. */
        public Builder dryRun(boolean value) {
            dryRun = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            OrphanController.register(context, new OrphanDecision(gracePeriod, dryRun, provisioners, labelled));
        }
    }
}
