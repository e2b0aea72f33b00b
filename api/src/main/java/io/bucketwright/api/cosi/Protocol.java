package io.bucketwright.api.cosi;

import java.util.Arrays;
import java.util.Optional;

/** The protocol between an application and its bucket. */
public enum Protocol {
    S3("s3"),
    GCS("gcs"),
    AZURE_BLOB("azureBlob");

    /** Both spellings of the third one are in use. */
    static final String PATTERN = "^(s3|gcs|azureBlob|azureblob)$";

    private final String text;

    Protocol(String text) {
        this.text = text;
    }

    /** The spelling that is stored. */
    public String text() {
        return text;
    }

    /** Reads either spelling; empty for anything else. */
    public static Optional<Protocol> of(String text) {
        return Arrays.stream(values())
                .filter(protocol -> protocol.text.equalsIgnoreCase(text))
                .findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
