package io.bucketwright.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows and columns, as text for a terminal or as Markdown. The first column is text, the others are numbers. */
record ReportTable(List<String> header, List<List<String>> rows) {

    ReportTable {
        header = List.copyOf(header);
        rows = rows.stream().map(List::copyOf).toList();
        int columns = header.size();
        if (rows.stream().anyMatch(row -> row.size() != columns)) {
            throw new IllegalArgumentException("A row has not " + columns + " columns");
        }
    }

    String text() {
        List<List<String>> all = new ArrayList<>(List.of(header));
        all.addAll(rows);
        int[] widths = IntStream.range(0, header.size())
                .map(column -> all.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return all.stream()
                .map(row -> IntStream.range(0, widths.length)
                        .mapToObj(column -> padded(row.get(column), widths[column], column == 0))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add(line(header));
        lines.add(header.stream()
                .map(column -> column.equals(header.getFirst()) ? "---" : "---:")
                .collect(Collectors.joining("|", "|", "|")));
        rows.forEach(row -> lines.add(line(row)));
        return String.join("\n", lines) + "\n";
    }

    private static String line(List<String> row) {
        return row.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String padded(String text, int width, boolean left) {
        String spaces = " ".repeat(width - text.length());
        return left ? text + spaces : spaces + text;
    }
}
