package io.bucketwright.store.gcs;

import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.Tags;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ownership tags as labels of Cloud Storage, which have at most 63 lower case letters, digits, hyphens and underscores in
 * key and value. The prefix {@code bucketwright.io/} of a key becomes {@code bucketwright-io_}. In a value, {@code _xx} is
 * a byte of another character. A long value continues in labels with the suffixes {@code _2}, {@code _3} and so on.
 */
final class Labels {

    /** The prefix of labels that hold ownership tags. */
    static final String RESERVED = "bucketwright-io_";

    private static final int MAX_LENGTH = 63;
    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    private static final Pattern VALUE = Pattern.compile("[a-z0-9_-]{0,63}");
    private static final Pattern CONTINUED = Pattern.compile("(.+)_([2-9]|[1-9][0-9])");

    private Labels() {}

    /** The labels for ownership tags. */
    static Map<String, String> of(OwnershipTags ownership) {
        Map<String, String> labels = new TreeMap<>();
        ownership.tags().forEach((tag, value) -> {
            String key = RESERVED + tag.substring(Tags.RESERVED.length());
            String rest = escape(value);
            for (int part = 1; part == 1 || !rest.isEmpty(); part++) {
                int end = Math.min(rest.length(), MAX_LENGTH);
                labels.put(part == 1 ? key : key + "_" + part, rest.substring(0, end));
                rest = rest.substring(end);
            }
        });
        return labels;
    }

    /** The ownership tags in labels; others are ignored. */
    static OwnershipTags read(Map<String, String> labels) {
        return OwnershipTags.read(tags(labels));
    }

    /** All labels as tags, with the keys and values of ownership tags as they were before the encoding. */
    static Map<String, String> tags(Map<String, String> labels) {
        Map<String, String> tags = new TreeMap<>();
        labels.forEach((key, value) -> {
            if (!key.startsWith(RESERVED)) {
                tags.put(key, value);
            } else if (!isContinuation(key, labels)) {
                StringBuilder whole = new StringBuilder(value);
                for (int part = 2; labels.containsKey(key + "_" + part); part++) {
                    whole.append(labels.get(key + "_" + part));
                }
                tags.put(Tags.RESERVED + key.substring(RESERVED.length()), unescape(whole.toString()));
            }
        });
        return tags;
    }

    /**
     * Checks tags of an option, which become labels as they are.
     *
     * @throws Invalid if one of them cannot be a label
     */
    static void check(Map<String, String> tags) {
        tags.forEach((key, value) -> {
            if (!isKey(key) || !VALUE.matcher(value).matches()) {
                throw new Invalid(
                        "tag " + InputText.quote(key) + " cannot be a label of Google Cloud Storage: key and value"
                                + " must be at most 63 lower case letters, digits, hyphens and underscores, and the key must start"
                                + " with a letter");
            }
            if (key.startsWith(RESERVED)) {
                throw new Invalid("tag " + InputText.quote(key) + " must not start with \"" + RESERVED
                        + "\", which is reserved for ownership tags");
            }
        });
    }

    static boolean isKey(String key) {
        return KEY.matcher(key).matches();
    }

    private static boolean isContinuation(String key, Map<String, String> labels) {
        Matcher continued = CONTINUED.matcher(key);
        return continued.matches() && labels.containsKey(continued.group(1));
    }

    private static String escape(String value) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            if ((b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-') {
                escaped.append((char) b);
            } else {
                escaped.append('_').append(HexFormat.of().toHexDigits(b));
            }
        }
        return escaped.toString();
    }

    /** A text that {@link #escape} does not produce stays as it is. */
    private static String unescape(String escaped) {
        ByteBuffer bytes = ByteBuffer.allocate(escaped.length());
        try {
            for (int i = 0; i < escaped.length(); i++) {
                if (escaped.charAt(i) == '_') {
                    bytes.put((byte) HexFormat.fromHexDigits(escaped, i + 1, i + 3));
                    i += 2;
                } else {
                    bytes.put((byte) escaped.charAt(i));
                }
            }
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (IllegalArgumentException | IndexOutOfBoundsException | CharacterCodingException notEscaped) {
            return escaped;
        }
    }
}
