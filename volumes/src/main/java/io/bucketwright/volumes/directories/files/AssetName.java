package io.bucketwright.volumes.directories.files;

import java.util.regex.Pattern;

/** The name of a volume, of its directory and of its marker: one segment of a path, never a link to somewhere else. */
public record AssetName(String text) {

    /** A marker's name has five characters more, and no file system takes more than 255. */
    public static final int LONGEST = 250;

    private static final Pattern SAFE =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    public AssetName {
        if (!fits(text)) {
            throw new IllegalArgumentException("\"" + Libc.printable(Dir.bytes(text))
                    + "\" cannot name a directory: it must be lower case letters, digits, dashes and single dots, and at"
                    + " most " + LONGEST + " of them");
        }
    }

    public static boolean fits(String text) {
        return text.length() <= LONGEST && SAFE.matcher(text).matches();
    }

    String marker() {
        return text + ".json";
    }

    @Override
    public String toString() {
        return text;
    }
}
