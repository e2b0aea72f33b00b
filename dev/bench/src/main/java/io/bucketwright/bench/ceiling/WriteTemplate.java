package io.bucketwright.bench.ceiling;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A write of a controller, with placeholders for what differs from object to object.
 *
 * @param object path of the object that it changes, without subresource and parameters
 */
public record WriteTemplate(String method, String path, String contentType, String body, String object) {

    static final String NAME = "@{name}";
    static final String VERSION = "@{version}";

    private static final Pattern CONDITION = Pattern.compile("\"resourceVersion\":\"[^\"]*\"");

    static String uid(int index) {
        return "@{uid" + index + "}";
    }

    /** The text with the values of an object; the uids are in the order in which the objects were created. */
    static String fill(String text, String name, List<String> uids) {
        String filled = text.replace(NAME, name);
        for (int i = 0; i < uids.size(); i++) {
            filled = filled.replace(uid(i), uids.get(i));
        }
        return filled;
    }

    /** A body without the condition that the object has a version. */
    static String unconditional(String body) {
        return CONDITION
                .matcher(body)
                .replaceAll("")
                .replace(",,", ",")
                .replace("{,", "{")
                .replace(",}", "}");
    }
}
