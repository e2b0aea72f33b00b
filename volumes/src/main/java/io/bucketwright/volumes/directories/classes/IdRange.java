package io.bucketwright.volumes.directories.classes;

import io.bucketwright.volumes.directories.files.DirectoryOwner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ids of users or groups that may own directories. */
public record IdRange(long first, long last) {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,10})-(\\d{1,10})");

    public IdRange {
        if (first < 0 || last < first || last > DirectoryOwner.MAX_ID) {
            throw new IllegalArgumentException(
                    "must be from a smaller to a larger number, up to " + DirectoryOwner.MAX_ID);
        }
    }

    /** All ids but that of root. */
    public static IdRange nonRoot() {
        return new IdRange(1, Integer.MAX_VALUE);
    }

    static IdRange parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be a range such as 1000-1999");
        }
        return new IdRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    public boolean contains(long id) {
        return id >= first && id <= last;
    }

    @Override
    public String toString() {
        return first + "-" + last;
    }
}
