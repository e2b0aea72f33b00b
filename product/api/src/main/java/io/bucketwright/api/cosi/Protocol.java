package io.bucketwright.api.cosi;

import io.bucketwright.api.text.TextEnum;
import java.util.Optional;

/** The protocol between an application and its bucket. */
public enum Protocol implements TextEnum {
    S3("s3"),
    GCS("gcs"),
    AZURE_BLOB("azureBlob");

    /** Both spellings of the third one are in use. */
    static final String PATTERN = "^(s3|gcs|azureBlob|azureblob)$";

    private final String text;

    Protocol(String text) {
        this.text = text;
    }

    /** Reads either spelling; empty for anything else. */
    public static Optional<Protocol> of(String text) {
        return TextEnum.findIgnoringCase(values(), text);
    }

    @Override
    public String toString() {
        return text;
    }
}
