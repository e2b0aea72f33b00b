package io.bucketwright.volumes.directories.classes;

import io.bucketwright.volumes.directories.files.DirectoryOwner;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ids of users or of groups that may own directories of a class.
 *
 * @param defaultId the owner of a directory if its claim specifies none
 */
public record OwnerIds(Optional<Long> defaultId, long first, long last) {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,10})-(\\d{1,10})");

    /** By default, all ids but that of root. */
    static OwnerIds parse(Map<String, String> parameters, DirectoryParameter defaultId, DirectoryParameter range) {
        Optional<Long> id = defaultId.read(parameters, OwnerIds::parseId);
        OwnerIds ids = range.read(parameters, text -> parseRange(id, text))
                .orElseGet(() -> new OwnerIds(id, 1, Integer.MAX_VALUE));
        if (id.isPresent() && !ids.contains(id.get())) {
            throw new InvalidClassException(
                    "parameter " + defaultId.key() + " " + id.get() + " is outside " + range.key() + " " + ids);
        }
        return ids;
    }

    private static OwnerIds parseRange(Optional<Long> defaultId, String text) {
        Matcher matcher = RANGE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be a range such as 1000-1999");
        }
        OwnerIds ids = new OwnerIds(defaultId, Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
        if (ids.last < ids.first || ids.last > DirectoryOwner.MAX_ID) {
            throw new IllegalArgumentException(
                    "must be from a smaller to a larger number, up to " + DirectoryOwner.MAX_ID);
        }
        return ids;
    }

    public static long parseId(String text) {
        if (text.matches("\\d{1,10}") && Long.parseLong(text) <= DirectoryOwner.MAX_ID) {
            return Long.parseLong(text);
        }
        throw new IllegalArgumentException("must be a number from 0 to " + DirectoryOwner.MAX_ID);
    }

    public boolean contains(long id) {
        return id >= first && id <= last;
    }

    /** The range. */
    @Override
    public String toString() {
        return first + "-" + last;
    }
}
