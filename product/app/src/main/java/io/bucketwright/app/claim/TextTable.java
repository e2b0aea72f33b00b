package io.bucketwright.app.claim;

import java.util.List;
import java.util.stream.IntStream;

/** Tables for the terminal. */
final class TextTable {

    private static final int GAP = 3;

    private TextTable() {}

    /** The lines of a table, all of whose rows have as many cells as the first one. */
    static List<String> of(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.getFirst().size())
                .map(column -> rows.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream().map(line -> join(line, widths)).toList();
    }

    /** Text that others wrote, made safe, or a sign that there is none. */
    static String cell(String text) {
        String plain = ClaimText.plain(text);
        return plain.isEmpty() ? ClaimText.NOTHING : plain;
    }

    private static String join(List<String> line, int[] widths) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            text.append(line.get(column))
                    .repeat(" ", widths[column] - line.get(column).length() + GAP);
        }
        return text.toString().stripTrailing();
    }
}
