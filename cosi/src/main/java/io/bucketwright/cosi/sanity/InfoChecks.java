package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.store.errors.InputText;
import java.util.List;
import java.util.regex.Pattern;

/** What a driver says about itself. */
final class InfoChecks {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");

    private InfoChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                new SanityCheck("info-name", "DriverInfo returns a valid driver name", InfoChecks::name),
                new SanityCheck("info-protocol", "DriverInfo returns the supported protocol", InfoChecks::protocol),
                new SanityCheck("info-stable", "DriverInfo returns the same response each time", InfoChecks::stable));
    }

    private static void name(SanityClient probe) {
        String name = probe.info().getDriverName();
        if (!NAME.matcher(name).matches()) {
            throw new CheckFailed("The name " + InputText.quote(name)
                    + " must be 1 to 63 letters, digits, dots and hyphens, with a letter or digit at both ends.");
        }
    }

    private static void protocol(SanityClient probe) {
        DriverInfoResponse info = probe.info();
        if (Protocols.name(info.getSupportedProtocol()).isEmpty()) {
            throw new CheckFailed("SupportedProtocol is " + info.getSupportedProtocol() + ".");
        }
    }

    private static void stable(SanityClient probe) {
        if (!probe.info().equals(probe.info())) {
            throw new CheckFailed("Two calls were answered differently.");
        }
    }
}
