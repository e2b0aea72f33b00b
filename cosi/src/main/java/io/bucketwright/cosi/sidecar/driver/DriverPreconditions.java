package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.cache.ProvisionerSecret;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/**
 * What a call depends on besides its object.
 *
 * @param connection the number of the connection to the driver: after a reconnect it may be another driver
 */
public record DriverPreconditions(DriverState driver, long connection, ProvisionerSecret secret) {

    /** Why no call can be made for an object of this protocol. */
    public Optional<Problem> problem(DataProtocol wanted) {
        return switch (driver) {
            case DriverState.Unavailable(String message) ->
                Optional.of(Problem.retryable(
                        ProvisionerReason.DRIVER_UNAVAILABLE.text(),
                        "Waiting for the driver: " + message + ". Check the driver's pod."));
            case DriverState.Incompatible(String message) ->
                Optional.of(Problem.requiresChange(
                        ProvisionerReason.DRIVER_INCOMPATIBLE.text(), "The driver cannot be used: " + message + "."));
            case DriverState.Ready(DataProtocol supported) -> problem(wanted, supported);
        };
    }

    /** Everything that a call for this object depends on, as one text; without what the sidecar itself writes. */
    public String inputs(HasMetadata object) {
        return Metadata.inputs(object, CosiNames.PROVISIONER_REPORT) + " "
                + object.getMetadata().getGeneration() + " " + connection + " " + secret.version();
    }

    /** What to send as {@code secrets}; empty if the driver has its own credentials. */
    public Map<String, SecretValue> secrets() {
        return secret instanceof ProvisionerSecret.Usable(String _, Map<String, SecretValue> values)
                ? values
                : Map.of();
    }

    private Optional<Problem> problem(DataProtocol wanted, DataProtocol supported) {
        if (wanted != supported) {
            return Optional.of(Problem.requiresChange(
                    ProvisionerReason.INVALID_PROTOCOL.text(),
                    "The driver supports " + Protocols.name(supported).orElse("no known protocol") + ", not "
                            + Protocols.name(wanted).orElse("the requested protocol")
                            + ". Use a class of another provisioner."));
        }
        return switch (secret) {
            case ProvisionerSecret.Usable _ -> Optional.empty();
            case ProvisionerSecret.Unusable(String message) ->
                Optional.of(Problem.requiresChange(ProvisionerReason.INVALID_PROVISIONER_SECRET.text(), message));
        };
    }
}
