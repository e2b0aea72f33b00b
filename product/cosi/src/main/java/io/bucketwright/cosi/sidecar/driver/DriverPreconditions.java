package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a call depends on besides its object.
 *
 * @param connection the number of the connection to the driver: after a reconnect it may be another driver
 */
public record DriverPreconditions(DriverState driver, long connection, ProvisionerSecret secret) {

    private static final String CONNECTION = " connection ";

    /**
     * After the request of a deletion, before what is not known counts as never created. Longer than the longest pause of the
     * kubelet between two starts of a container that crashes.
     */
    public static final Duration GRACE = Duration.ofMinutes(6);

    /** When the grace period of an object that is being deleted ends. */
    public static Instant graceEnd(HasMetadata object) {
        return Instant.parse(object.getMetadata().getDeletionTimestamp()).plus(GRACE);
    }

    /** Why no call can be made for an object of this protocol. */
    public Optional<Problem> problem(String wanted) {
        return driver instanceof DriverState.Ready(String _, boolean _, Set<Protocol> supported)
                ? problem(wanted, supported)
                : driverProblem();
    }

    /** Why no call can be made for any object. */
    public Optional<Problem> driverProblem() {
        return switch (driver) {
            case DriverState.Connecting() -> notConnected("not connected yet");
            case DriverState.Unavailable(String message) -> notConnected(message);
            case DriverState.Incompatible(String message) ->
                Optional.of(Problem.requiresChange(
                        ProvisionerReason.DRIVER_INCOMPATIBLE.text(), "The driver cannot be used: " + message + "."));
            case DriverState.Ready _ -> Optional.empty();
        };
    }

    private static Optional<Problem> notConnected(String message) {
        return Optional.of(Problem.retryable(
                ProvisionerReason.DRIVER_NOT_CONNECTED.text(),
                "Waiting for the driver: " + message + ". Check the driver's pod."));
    }

    /** Everything that a call for this object depends on, as one text; without what the sidecar itself writes. */
    public String inputs(HasMetadata object) {
        return Metadata.inputs(
                        object,
                        CosiNames.PROVISIONER_REPORT,
                        ReleasedNames.BUCKET_UID,
                        ReleasedNames.BUCKET_ID,
                        ReleasedNames.GRANTS)
                + " " + object.getMetadata().getGeneration() + " " + secret.version() + CONNECTION + connection;
    }

    /**
     * How reconciling ends because of a failed attempt; empty if the call may be made. Another connection to the driver, which
     * may be another version of it, is a reason to repeat a call that requires a change, but never before its time: a driver
     * that crashes in a call reconnects at once.
     *
     * @param inputs of the next call
     */
    public static Optional<Result> blocked(FailedAttempt attempt, DriverMethod method, String inputs) {
        if (!attempt.operation().equals(method)
                || !withoutConnection(attempt.inputs()).equals(withoutConnection(inputs))) {
            return Optional.empty();
        }
        if (!attempt.problem().isRetried() && attempt.inputs().equals(inputs)) {
            return Optional.of(attempt.problem().result());
        }
        return attempt.retryIn().isPositive() ? Optional.of(Result.requeueAfter(attempt.retryIn())) : Optional.empty();
    }

    private static String withoutConnection(String inputs) {
        return inputs.substring(0, inputs.lastIndexOf(CONNECTION));
    }

    /** Whether the driver issues ids for accounts, so that the id must be known to revoke one. */
    public boolean issuesIds() {
        return driver instanceof DriverState.Ready(String _, boolean issuesIds, Set<Protocol> _) && issuesIds;
    }

    /** What to send as {@code secrets}; empty if the driver has its own credentials. */
    public Map<String, SecretValue> secrets() {
        return secret instanceof ProvisionerSecret.Usable(String _, Map<String, SecretValue> values)
                ? values
                : Map.of();
    }

    private Optional<Problem> problem(String wanted, Set<Protocol> supported) {
        if (Protocol.of(wanted).filter(supported::contains).isEmpty()) {
            String list = supported.stream().sorted().map(Protocol::toString).collect(Collectors.joining(", "));
            return Optional.of(Problem.requiresChange(
                    ProvisionerReason.INVALID_PROTOCOL.text(),
                    "The driver supports " + list + ", not " + SafeText.quoted(wanted)
                            + ". Use a class of another provisioner."));
        }
        return switch (secret) {
            case ProvisionerSecret.Usable _ -> Optional.empty();
            case ProvisionerSecret.Unusable(String message) ->
                Optional.of(Problem.requiresChange(ProvisionerReason.INVALID_PROVISIONER_SECRET.text(), message));
        };
    }
}
