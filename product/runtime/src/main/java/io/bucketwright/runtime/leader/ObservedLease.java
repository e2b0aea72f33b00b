package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.LeaseClient;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lease as this process has observed it. A lease of another process has expired when it was observed unchanged for its
 * whole duration on the monotonic clock of this process; clocks of two machines are never compared. Used by one thread.
 */
final class ObservedLease {

    private final LeaseName name;
    private final String identity;
    private final HolderProcess process;
    private final LeaseTiming timing;
    private final LeaseClient leases;
    private final Fence fence;
    private final TimeSource time;

    /** The lease as last read or written; null if there was none. */
    private @Nullable Lease known;
    /** Since when {@link #known} has been observed unchanged. */
    private long unchangedSince;
    /** Whether a write failed since the last read, so that the lease may differ from {@link #known}. */
    private boolean uncertain;
    /** The number of this process's last term. A Lease that was deleted and created again counts from zero, this does not. */
    private long term = -1;

    ObservedLease(
            LeaseName name,
            String identity,
            HolderProcess process,
            LeaseTiming timing,
            LeaseClient leases,
            Fence fence,
            TimeSource time) {
        this.name = name;
        this.identity = identity;
        this.process = process;
        this.timing = timing;
        this.leases = leases;
        this.fence = fence;
        this.time = time;
    }

    /**
     * Renews the lease if this process holds it, and takes it if it is free or has expired. Renewing costs one request.
     *
     * @return whether this process holds the lease
     * @throws ApiException if a request failed; a failed read changes nothing here
     */
    boolean tryAcquireOrRenew() {
        if (uncertain || !isHeldByThisProcess()) {
            read();
        }
        if (!isHeldByThisProcess() && !isFree()) {
            return false;
        }
        Fence.Attempt attempt = fence.attempt();
        LeaseSpec before = spec();
        boolean renewal = isHeldByThisProcess();
        ZonedDateTime now = time.now().atZone(ZoneOffset.UTC);
        int transitions = Objects.requireNonNullElse(before.getLeaseTransitions(), 0);
        int nextTransitions = known == null || renewal ? transitions : transitions + 1;
        if (!renewal) {
            // Before the write: it may take effect although its response is lost, and then looks like a renewal.
            term = Math.max(nextTransitions, term + 1);
        }
        write(lease(
                identity,
                timing.lease(),
                renewal ? Objects.requireNonNullElse(before.getAcquireTime(), now) : now,
                now,
                nextTransitions));
        fence.open(attempt, term, timing.renewWithin());
        return true;
    }

    /** Closes the fence, then removes the holder from the lease if it is this process. */
    void release() {
        fence.close();
        if (uncertain) {
            read();
        }
        if (isHeldByThisProcess()) {
            LeaseSpec held = spec();
            write(lease(
                    null,
                    Duration.ofSeconds(1),
                    held.getAcquireTime(),
                    held.getRenewTime(),
                    Objects.requireNonNullElse(held.getLeaseTransitions(), 0)));
        }
    }

    LeaseName name() {
        return name;
    }

    /** The holder as last observed; empty if there is none. */
    String holder() {
        return Objects.requireNonNullElse(spec().getHolderIdentity(), "");
    }

    private void read() {
        @Nullable Lease found = leases.read(name.namespace(), name.name()).orElse(null);
        if (known == null || found == null || !version(known).equals(version(found))) {
            unchangedSince = time.nanos();
        }
        known = found;
        uncertain = false;
    }

    private void write(Lease lease) {
        try {
            known = known == null ? leases.create(lease) : leases.replace(lease);
        } catch (RuntimeException e) {
            uncertain = true;
            if (e instanceof ApiException failure
                    && (failure.error() instanceof ApiError.Conflict || failure.error() instanceof ApiError.NotFound)) {
                // Another process or a user wrote or deleted the lease.
                fence.close();
            }
            throw e;
        }
    }

    boolean isHeldByThisProcess() {
        return holder().equals(identity)
                && known != null
                && HolderProcess.of(known).id().equals(process.id());
    }

    private boolean isFree() {
        @Nullable Integer seconds = spec().getLeaseDurationSeconds();
        Duration duration = seconds == null ? timing.lease() : Duration.ofSeconds(seconds);
        return holder().isEmpty() || isHolderReplaced() || time.nanos() - unchangedSince >= duration.toNanos();
    }

    /** Whether the holder ran where this process runs now, so that it has ended: a container that was restarted. */
    private boolean isHolderReplaced() {
        return known != null && process.hasPlaceOf(HolderProcess.of(known));
    }

    private LeaseSpec spec() {
        return known == null || known.getSpec() == null ? new LeaseSpec() : known.getSpec();
    }

    private Lease lease(
            @Nullable String holder,
            Duration duration,
            @Nullable ZonedDateTime acquired,
            @Nullable ZonedDateTime renewed,
            int transitions) {
        ObjectMeta before = known == null ? new ObjectMeta() : known.getMetadata();
        Map<String, String> annotations = ofOthers(before.getAnnotations());
        annotations.putAll(name.description());
        annotations.putAll(holder == null ? Map.of() : process.annotations());
        Map<String, String> labels = ofOthers(before.getLabels());
        labels.putAll(name.labels());
        return new LeaseBuilder()
                .withMetadata(new ObjectMetaBuilder(before)
                        .withNamespace(name.namespace())
                        .withName(name.name())
                        .withLabels(labels)
                        .withAnnotations(annotations)
                        .withManagedFields()
                        .build())
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds((int) duration.toSeconds())
                .withAcquireTime(acquired)
                .withRenewTime(renewed)
                .withLeaseTransitions(transitions)
                .endSpec()
                .build();
    }

    /** What Helm, Argo CD or an administrator put there. */
    private static Map<String, String> ofOthers(@Nullable Map<String, String> found) {
        Map<String, String> kept = new HashMap<>(found == null ? Map.of() : found);
        kept.keySet().removeIf(key -> key.startsWith(LeaseName.PREFIX));
        return kept;
    }

    private static String version(Lease lease) {
        return lease.getMetadata().getResourceVersion();
    }
}
