package io.bucketwright.app.doctor.observation;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Lease of a role.
 *
 * @param renewed whether it was renewed while it was observed; clocks of two machines may differ, so a Lease that seems to
 *     have expired is observed for a while
 */
public record RoleLease(LeaseRole role, Lease lease, boolean renewed) {

    private static final int DEFAULT_SECONDS = 15;

    /** Whether a process leads. */
    public enum State {
        LEADING,
        /** The last leader has released the Lease. */
        RELEASED,
        /** The last leader no longer renews the Lease. */
        EXPIRED
    }

    public static Optional<RoleLease> of(Lease lease) {
        return LeaseRole.of(lease).map(role -> new RoleLease(role, lease, false));
    }

    public State state(Instant now) {
        if (holder().isEmpty()) {
            return State.RELEASED;
        }
        return renewed || isFresh(now) ? State.LEADING : State.EXPIRED;
    }

    /** Neither expired nor renewed in the future. */
    private boolean isFresh(Instant now) {
        return renewTime()
                .filter(time -> Duration.between(time, now).abs().compareTo(duration()) <= 0)
                .isPresent();
    }

    public Optional<Instant> renewTime() {
        return Optional.ofNullable(spec().getRenewTime()).map(ZonedDateTime::toInstant);
    }

    public Duration duration() {
        return Duration.ofSeconds(Objects.requireNonNullElse(spec().getLeaseDurationSeconds(), DEFAULT_SECONDS));
    }

    public String holder() {
        return Objects.requireNonNullElse(spec().getHolderIdentity(), "");
    }

    /** Whether it is the Lease of the reference implementation's COSI controller. */
    public boolean isOfReferenceController() {
        return name().equals(LeaseRole.REFERENCE_CONTROLLER);
    }

    /** Whether the holder may be a program of somebody else, with permissions of its own. */
    boolean isShared() {
        return isOfReferenceController() || role == LeaseRole.RELEASED_SIDECAR;
    }

    public String namespace() {
        return lease.getMetadata().getNamespace();
    }

    public String name() {
        return lease.getMetadata().getName();
    }

    private LeaseSpec spec() {
        @Nullable LeaseSpec spec = lease.getSpec();
        return spec == null ? new LeaseSpec() : spec;
    }
}
