package io.bucketwright.volumes.directories.files;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/** The name of a volume, of its directory and of its marker: one path segment, never {@code .} or {@code ..}. */
public record DirectoryName(String text) {

    /** Most file systems allow 255 characters, and a marker adds {@code .json}. */
    public static final int MAX_LENGTH = 250;

    private static final Pattern SAFE =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public DirectoryName {
        if (!isValid(text)) {
            throw new IllegalArgumentException("\"" + Libc.printable(DirectoryHandle.bytes(text))
                    + "\" is not a valid directory name: use a Kubernetes object name (RFC 1123 subdomain) of at most "
                    + MAX_LENGTH + " characters");
        }
    }

    public static boolean isValid(String text) {
        return text.length() <= MAX_LENGTH && SAFE.matcher(text).matches();
    }

    String markerFile() {
        return text + ".json";
    }

    @JsonValue
    @Override
    public String toString() {
        return text;
    }
}
