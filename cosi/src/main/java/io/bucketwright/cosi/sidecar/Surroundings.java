package io.bucketwright.cosi.sidecar;

import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.wire.Protocols;
import java.util.Optional;

/**
 * What a call depends on beside its object.
 *
 * @param connection which connection to the driver this is: another one may lead to another driver
 */
record Surroundings(DriverState driver, long connection, SecretView secret) {

    /** What is in the way of any call for an object of this protocol. */
    Optional<Trouble> obstacle(DriverMethod method, DataProtocol protocol) {
        return switch (driver) {
            case DriverState.Away(String why) ->
                Optional.of(Trouble.passing(
                        method, "DriverUnavailable", "Waiting for the driver: " + why + ". Look at the driver's pod."));
            case DriverState.Unfit(String why) ->
                Optional.of(Trouble.untilChange(method, "DriverUnfit", "The driver cannot be used: " + why + "."));
            case DriverState.Fit(DataProtocol spoken) -> obstacle(method, protocol, spoken);
        };
    }

    /** What a failure depends on, as one text. */
    String inputs() {
        return connection + " " + secret.version();
    }

    private Optional<Trouble> obstacle(DriverMethod method, DataProtocol wanted, DataProtocol spoken) {
        if (wanted != spoken) {
            return Optional.of(Trouble.untilChange(
                    method,
                    "InvalidProtocol",
                    "The driver speaks " + Protocols.word(spoken).orElse("nothing known") + ", not "
                            + Protocols.word(wanted).orElse("what is asked for")
                            + ": choose a class of another provisioner."));
        }
        return switch (secret) {
            case SecretView.Usable _ -> Optional.empty();
            case SecretView.Unusable(String message) ->
                Optional.of(Trouble.untilChange(method, "ProvisionerSecret", message));
        };
    }
}
