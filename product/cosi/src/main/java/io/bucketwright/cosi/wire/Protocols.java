package io.bucketwright.cosi.wire;

import io.bucketwright.cosi.proto.DataProtocol;
import java.util.Locale;
import java.util.Optional;

/** The proposal spells a protocol {@code azureBlob} in one place and {@code azureblob} in another: both are accepted, one is written. */
public final class Protocols {

    private Protocols() {}

    /** Parses a protocol; empty if it is unknown. */
    public static Optional<DataProtocol> parse(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT).replace("-", "").replace("_", "")) {
            case "s3" -> Optional.of(DataProtocol.S3);
            case "gcs", "gcp" -> Optional.of(DataProtocol.GCS);
            case "azureblob", "azure" -> Optional.of(DataProtocol.AZURE_BLOB);
            default -> Optional.empty();
        };
    }

    /** The spelling that objects contain; empty if it is not specified. */
    public static Optional<String> name(DataProtocol protocol) {
        return switch (protocol) {
            case S3 -> Optional.of("s3");
            case GCS -> Optional.of("gcs");
            case AZURE_BLOB -> Optional.of("azureBlob");
            case PROTOCOL_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }
}
