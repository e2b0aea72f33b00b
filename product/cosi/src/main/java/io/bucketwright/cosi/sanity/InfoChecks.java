package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.CheckFailed.require;
import static io.bucketwright.cosi.sanity.SanityCheck.check;

import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.store.errors.InputText;
import java.util.List;

/** Checks of DriverInfo. */
final class InfoChecks {

    private InfoChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                check("info-name", "DriverInfo returns a valid driver name", client -> {
                    String name = client.info().name();
                    require(
                            name.matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?"),
                            "The name " + InputText.quote(name)
                                    + " must be 1 to 63 letters, digits, dots and hyphens, with a letter or digit at"
                                    + " both ends.");
                }),
                check(CheckNeed.PROTOCOLS, "info-protocol", "DriverInfo returns the supported protocol", client -> {
                    DataProtocol protocol = client.info().protocol();
                    require(Protocols.name(protocol).isPresent(), "SupportedProtocol is " + protocol + ".");
                }),
                check(
                        "info-stable",
                        "DriverInfo returns the same response each time",
                        client -> require(client.info().equals(client.info()), "Two responses differ.")));
    }
}
