package io.bucketwright.store.azure;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.Tags;
import java.net.http.HttpHeaders;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tags as container metadata. The name of metadata is a C# identifier, so {@code bucketwright.io/claim-name} becomes
 * {@code bucketwright_claim_name}, and {@code example.com/team} becomes {@code example_x2e_com_x2f_team}. Names are
 * case-insensitive; values are ASCII. Metadata has no empty values, so that a tag without a value is left out.
 */
final class MetadataNames {

    private static final String HEADER = "x-ms-meta-";
    private static final String RESERVED = "bucketwright_";
    private static final Pattern UNNAMEABLE = Pattern.compile("^[0-9]|[^A-Za-z0-9_]");
    private static final Pattern ENCODED = Pattern.compile("_x([0-9a-f]{2})_");
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");
    private static final Pattern VALUE = Pattern.compile("([!-~]([ -~]*[!-~])?)?");

    private MetadataNames() {}

    /** Converts the headers of a response to tags. */
    static Map<String, String> tags(HttpHeaders headers) {
        SortedMap<String, String> tags = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.map().forEach((header, values) -> {
            if (header.toLowerCase(Locale.ROOT).startsWith(HEADER)) {
                tags.put(tag(header.substring(HEADER.length())), values.getFirst());
            }
        });
        return tags;
    }

    /** The ownership tags among texts by the names of metadata. */
    static Map<String, String> ownership(Map<String, String> texts) {
        Map<String, String> tags = new HashMap<>();
        texts.forEach((name, value) -> {
            if (isReserved(name)) {
                tags.put(tag(name), value);
            }
        });
        return tags;
    }

    /** Adds tags to a request. */
    static BlobRequest addTo(BlobRequest request, Map<String, String> tags) {
        BlobRequest tagged = request;
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            if (!tag.getValue().isEmpty()) {
                tagged = tagged.header(HEADER + name(tag.getKey()), tag.getValue());
            }
        }
        return tagged;
    }

    /**
     * Checks tags of a class or claim.
     *
     * @throws Invalid if one cannot be metadata
     */
    static void check(Tags tags) {
        tags.tags().forEach((key, value) -> {
            if (!PRINTABLE.matcher(key).matches() || isReserved(key)) {
                throw new Invalid("tag " + InputText.quote(key)
                        + " must be printable ASCII characters without spaces and must not start with \"" + RESERVED
                        + "\": it becomes metadata of a container");
            }
            if (!VALUE.matcher(value).matches()) {
                throw new Invalid("the value of tag " + InputText.quote(key)
                        + " must be printable ASCII characters without spaces at both ends: it becomes metadata of a"
                        + " container");
            }
        });
        Set<String> distinct = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        tags.tags().keySet().stream()
                .filter(key -> !distinct.add(key))
                .findFirst()
                .ifPresent(key -> {
                    throw new Invalid("tag " + InputText.quote(key)
                            + " is set twice: the case of letters does not matter in metadata of a container");
                });
    }

    private static boolean isReserved(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith(RESERVED);
    }

    private static String tag(String name) {
        return isReserved(name)
                ? Tags.RESERVED
                        + name.substring(RESERVED.length())
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-')
                : ENCODED.matcher(name)
                        .replaceAll(encoded -> Matcher.quoteReplacement(
                                Character.toString(HexFormat.fromHexDigits(encoded.group(1)))));
    }

    /** In lower case, because signatures have the names of headers in lower case. */
    private static String name(String tag) {
        return (tag.startsWith(Tags.RESERVED)
                        ? RESERVED + tag.substring(Tags.RESERVED.length()).replace('-', '_')
                        : UNNAMEABLE
                                .matcher(tag)
                                .replaceAll(found -> String.format(Locale.ROOT, "_x%02x_", (int)
                                        found.group().charAt(0))))
                .toLowerCase(Locale.ROOT);
    }
}
