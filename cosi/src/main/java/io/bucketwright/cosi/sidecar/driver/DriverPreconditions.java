package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.ProvisionerReason;





import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.wire.Protocols;
import java.util.Optional;

/**
 * What a call depends on beside its object.
 *
 * @param connection which connection to the driver this is: another one may lead to another driver
 */
public record DriverPreconditions(DriverState driver, long connection, ProvisionerSecret secret) {

    /** What is in the way of any call for an object of this protocol. */
    public Optional<Trouble> obstacle(DriverMethod method, DataProtocol protocol) {
        return switch (driver) {
            case DriverState.Away(String why) ->
                Optional.of(Trouble.passing(
                        method, ProvisionerReason.DRIVER_UNAVAILABLE, "Waiting for the driver: " + why + ". Look at the driver's pod."));
            case DriverState.Unfit(String why) ->
                Optional.of(Trouble.untilChange(method, ProvisionerReason.DRIVER_INCOMPATIBLE, "The driver cannot be used: " + why + "."));
            case DriverState.Fit(DataProtocol spoken) -> obstacle(method, protocol, spoken);
        };
    }

    /** What a failure depends on, as one text. */
    public String inputs() {
        return connection + " " + secret.version();
    }

    private Optional<Trouble> obstacle(DriverMethod method, DataProtocol wanted, DataProtocol spoken) {
        if (wanted != spoken) {
            return Optional.of(Trouble.untilChange(
                    method,
                    ProvisionerReason.INVALID_PROTOCOL,
                    "The driver speaks " + Protocols.word(spoken).orElse("nothing known") + ", not "
                            + Protocols.word(wanted).orElse("what is asked for")
                            + ": choose a class of another provisioner."));
        }
        return switch (secret) {
            case ProvisionerSecret.Usable _ -> Optional.empty();
            case ProvisionerSecret.Unusable(String message) ->
                Optional.of(Trouble.untilChange(method, ProvisionerReason.INVALID_PROVISIONER_SECRET, message));
        };
    }
}
