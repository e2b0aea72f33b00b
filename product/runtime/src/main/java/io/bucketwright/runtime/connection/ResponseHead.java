package io.bucketwright.runtime.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Status line and headers of a response.
 *
 * @param persistent whether the protocol version keeps connections open unless a header says otherwise
 * @param names of the headers, in their order
 * @param values of the headers, in the same order
 */
record ResponseHead(int code, boolean persistent, List<String> names, List<String> values) {

    private static final Pattern STATUS =
            Pattern.compile("HTTP/1\\.([0-9]) ([0-9]{3})(?: [^\\r\\x00]*)?", Pattern.DOTALL);

    /** Reads a head that ends with an empty line. */
    static ResponseHead parse(byte[] bytes, int length) throws IOException {
        String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\n');
        Matcher status = STATUS.matcher(line(text, 0, end));
        if (!status.matches()) {
            throw new IOException("Not an HTTP/1.1 response");
        }
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int start = end + 1; ; start = end + 1) {
            end = text.indexOf('\n', start);
            String line = line(text, start, end);
            if (line.isEmpty()) {
                return new ResponseHead(
                        Integer.parseInt(status.group(2)), !status.group(1).equals("0"), names, values);
            }
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon));
            // With a space before the colon, for example, nobody would find the length of the body.
            if (name.isEmpty()
                    || !name.chars().allMatch(c -> c > ' ' && c < 0x7f)
                    || line.indexOf('\r') >= 0
                    || line.indexOf('\0') >= 0) {
                throw new IOException("A header of the response is malformed");
            }
            names.add(name);
            values.add(line.substring(colon + 1).strip());
        }
    }

    private static String line(String text, int start, int end) throws IOException {
        if (end < 0) {
            throw new IOException("The head of the response is incomplete");
        }
        return text.substring(start, end > start && text.charAt(end - 1) == '\r' ? end - 1 : end);
    }

    /** All values of a header, whatever the case of its name. */
    List<String> values(String name) {
        List<String> found = List.of();
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                found = found.isEmpty() ? new ArrayList<>(1) : found;
                found.add(values.get(i));
            }
        }
        return found;
    }

    /** Whether a header that is a list of words contains this one. */
    boolean has(String name, String word) {
        for (String value : values(name)) {
            for (String one : value.split(",", -1)) {
                if (one.strip().equalsIgnoreCase(word)) {
                    return true;
                }
            }
        }
        return false;
    }

    Map<String, List<String>> headers() {
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < names.size(); i++) {
            all.computeIfAbsent(names.get(i), _ -> new ArrayList<>(1)).add(values.get(i));
        }
        return all;
    }
}
