package io.bucketwright.app.fuzz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Changes one field of an object to something that its controller does not expect. */
final class HostileValues {

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "../../etc/passwd",
            "..",
            "/",
            "two\nlines",
            "bell\u0007and\u001b[31mred",
            "ünïcödé-\u202egnp",
            "\uD83D\uDE00",
            "\u0000",
            "${namespace}",
            "${bucket.name}",
            "$(reboot)",
            "a b",
            "%2e%2e%2f",
            "\"quoted\"",
            "-rf",
            "A".repeat(300),
            "*",
            "kube-system",
            "administrator",
            "no-such-object",
            "true",
            "9223372036854775807",
            "-1",
            "1e400",
            "NaN",
            "2026-01-01T00:00:00Z",
            "{\"a\": [1, 2",
            "[]",
            "&a [*a]",
            "!!java.net.URL [http://localhost]");

    private final Random random;

    HostileValues(Random random) {
        this.random = random;
    }

    /** Changes the field at that path; creates what is missing on the way. */
    void change(Map<String, Object> object, List<String> path) {
        Map<String, Object> parent = object;
        for (String field : path.subList(0, path.size() - 1)) {
            Map<String, Object> child = new LinkedHashMap<>();
            if (parent.get(field) instanceof Map<?, ?> existing) {
                existing.forEach((key, value) -> child.put(String.valueOf(key), value));
            }
            parent.put(field, child);
            parent = child;
        }
        String last = path.getLast();
        switch (random.nextInt(10)) {
            case 0, 1 -> parent.remove(last);
            case 2 -> parent.put(last, null);
            case 3 -> parent.put(last, wrongType());
            case 4 -> parent.put(last, "x".repeat(length()));
            case 5 -> parent.put(last, entries());
            default -> parent.put(last, text());
        }
    }

    String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private Object wrongType() {
        return switch (random.nextInt(8)) {
            case 0 -> true;
            case 1 -> -1;
            case 2 -> Long.MAX_VALUE;
            case 3 -> 1.5e300;
            case 4 -> new ArrayList<>(List.of(text(), 7, Map.of("a", "b")));
            case 5 -> Map.of();
            case 6 -> nested(random.nextInt(200));
            default -> Map.of(text(), Map.of("a", List.of(text())));
        };
    }

    /** One in a hundred is near the largest object that the API server accepts. */
    private int length() {
        return random.nextInt(100) == 0 ? 1024 * 1024 : 1 << (6 + random.nextInt(9));
    }

    /** Thousands of labels, annotations or options. */
    private Map<String, Object> entries() {
        int count = random.nextInt(10) == 0 ? 4000 : 50;
        Map<String, Object> entries = new HashMap<>();
        for (int i = 0; i < count; i++) {
            entries.put("example.com/key-" + i, i % 7 == 0 ? text() : "value-" + i);
        }
        return entries;
    }

    private static Map<String, Object> nested(int depth) {
        Map<String, Object> nested = new HashMap<>();
        for (int i = 0; i < depth; i++) {
            nested = new HashMap<>(Map.of("a", nested));
        }
        return nested;
    }
}
