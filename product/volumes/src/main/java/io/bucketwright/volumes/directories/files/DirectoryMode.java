package io.bucketwright.volumes.directories.files;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/** The permissions of a directory. */
public record DirectoryMode(int bits) {

    private static final Pattern OCTAL = Pattern.compile("[0-3]?[0-7]{3}");

    public DirectoryMode {
        if (bits < 0 || bits > 03777) {
            throw new IllegalArgumentException("A mode must be at most 3777, not " + Integer.toOctalString(bits));
        }
    }

    @JsonCreator
    public static DirectoryMode parse(String text) {
        if (!OCTAL.matcher(text).matches()) {
            throw new IllegalArgumentException("must be octal permissions such as 0770, or 2770 with setgid");
        }
        return new DirectoryMode(Integer.parseInt(text, 8));
    }

    @JsonValue
    @Override
    public String toString() {
        return "%04o".formatted(bits);
    }
}
