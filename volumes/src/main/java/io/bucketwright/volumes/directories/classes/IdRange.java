package io.bucketwright.volumes.directories.classes;

import io.bucketwright.volumes.directories.files.Owner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of users or groups that may own directories. */
public record IdRange(long first, long last) {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,10})-(\\d{1,10})");

    public IdRange {
        if (first < 0 || last < first || last > Owner.LARGEST) {
            throw new IllegalArgumentException("must go from a smaller to a larger number, up to " + Owner.LARGEST);
        }
    }

    /** Everybody but root. */
    public static IdRange standard() {
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
