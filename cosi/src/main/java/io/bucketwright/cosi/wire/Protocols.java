package io.bucketwright.cosi.wire;

import io.bucketwright.cosi.proto.DataProtocol;
import java.util.Locale;
import java.util.Optional;

/** The proposal spells a protocol {@code azureBlob} in one place and {@code azureblob} in another: all are read, one is written. */
public final class Protocols {

    private Protocols() {}

    /** Reads a spelling; empty if it is none. */
    public static Optional<DataProtocol> parse(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT).replace("-", "").replace("_", "")) {
            case "s3" -> Optional.of(DataProtocol.S3);
            case "gcs", "gcp" -> Optional.of(DataProtocol.GCS);
            case "azureblob", "azure" -> Optional.of(DataProtocol.AZURE_BLOB);
            default -> Optional.empty();
        };
    }

    /** The spelling that objects store; empty for what is no protocol. */
    public static Optional<String> name(DataProtocol protocol) {
        return switch (protocol) {
            case S3 -> Optional.of("s3");
            case GCS -> Optional.of("gcs");
            case AZURE_BLOB -> Optional.of("azureBlob");
            case PROTOCOL_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }
}
