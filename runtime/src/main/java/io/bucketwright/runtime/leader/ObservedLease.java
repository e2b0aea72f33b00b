package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.LeaseStore;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock given to fabric8's elector. It judges whether a lease has run out by how long it has been seen unchanged here,
 * never by comparing the holder's clock with ours; opens the fence on each success; renews with one request; and really
 * removes the holder on release. See DESIGN.md for what each of these repairs.
 */
final class ObservedLease implements Lock {

    private final LeaseName name;
    private final String identity;
    private final LeaseTiming timing;
    private final LeaseStore leases;
    private final Fence fence;
    private final TimeSource time;

    /** The lease as last read or written. */
    private @Nullable Lease known;
    /** Since when {@link #known} has been seen unchanged. */
    private long seenSince;

    ObservedLease(
            LeaseName name, String identity, LeaseTiming timing, LeaseStore leases, Fence fence, TimeSource time) {
        this.name = name;
        this.identity = identity;
        this.timing = timing;
        this.leases = leases;
        this.fence = fence;
        this.time = time;
    }

    @Override
    public synchronized @Nullable LeaderElectionRecord get(KubernetesClient client) {
        if (!isOurs(known)) {
            Optional<Lease> read = translating(() -> leases.read(name.namespace(), name.name()));
            @Nullable Lease before = known;
            known = read.orElse(null);
            if (before == null || known == null || !version(before).equals(version(known))) {
                seenSince = time.nanos();
            }
        }
        return known == null ? null : record(known);
    }

    @Override
    public synchronized void create(KubernetesClient client, LeaderElectionRecord record) {
        Fence.Attempt attempt = fence.attempt();
        known = translating(() -> leases.create(lease(record, "")));
        attempt.succeeded(record.getLeaderTransitions(), timing.renewWithin());
    }

    @Override
    public synchronized void update(KubernetesClient client, LeaderElectionRecord record) {
        boolean release = record.getHolderIdentity() == null;
        if (release) {
            fence.close();
        }
        Fence.Attempt attempt = fence.attempt();
        String version = version(Objects.requireNonNull(known, "the elector reads before it updates"));
        known = translating(() -> leases.replace(lease(record, version)));
        if (!release) {
            attempt.succeeded(record.getLeaderTransitions(), timing.renewWithin());
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public String describe() {
        return "lease " + name + " for " + identity;
    }

    /** The elector survives only fabric8's own exceptions; any other would end it without a word. */
    private <R> R translating(Supplier<R> request) {
        try {
            return request.get();
        } catch (ApiException e) {
            known = null;
            if (e.error() instanceof ApiError.Conflict || e.error() instanceof ApiError.NotFound) {
                // Somebody else wrote or removed the lease: whether it is still ours must be read first.
                fence.close();
            }
            throw new KubernetesClientException(e.getMessage(), e);
        } catch (RuntimeException e) {
            known = null;
            throw new KubernetesClientException("Could not use " + describe() + ": " + e, e);
        }
    }

    private boolean isOurs(@Nullable Lease lease) {
        return lease != null
                && lease.getSpec() != null
                && identity.equals(lease.getSpec().getHolderIdentity());
    }

    /** The elector compares the renew time with the clock on the wall; what it gets says what we observed instead. */
    private LeaderElectionRecord record(Lease lease) {
        LeaseSpec spec = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
        Duration lasts = spec.getLeaseDurationSeconds() == null
                ? timing.lease()
                : Duration.ofSeconds(spec.getLeaseDurationSeconds());
        boolean ranOut = time.nanos() - seenSince >= lasts.toNanos();
        ZonedDateTime now = time.now().atZone(ZoneOffset.UTC);
        ZonedDateTime acquired = spec.getAcquireTime() == null ? now : spec.getAcquireTime();
        int transitions = spec.getLeaseTransitions() == null ? 0 : spec.getLeaseTransitions();
        return new LeaderElectionRecord(
                spec.getHolderIdentity(), lasts, acquired, ranOut ? now.minusYears(1) : now.plusYears(1), transitions);
    }

    private Lease lease(LeaderElectionRecord record, String version) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(name.namespace())
                .withName(name.name())
                .withResourceVersion(version.isEmpty() ? null : version)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(record.getHolderIdentity())
                .withLeaseDurationSeconds((int) record.getLeaseDuration().toSeconds())
                .withAcquireTime(record.getAcquireTime())
                .withRenewTime(record.getRenewTime())
                .withLeaseTransitions(record.getLeaderTransitions())
                .endSpec()
                .build();
    }

    private static String version(Lease lease) {
        return lease.getMetadata().getResourceVersion();
    }
}
