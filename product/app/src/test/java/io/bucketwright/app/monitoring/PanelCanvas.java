package io.bucketwright.app.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.app.monitoring.DashboardPicture.Series;
import java.util.List;
import java.util.Locale;

/** An SVG of panels at their places on the grid of Grafana, which has 24 columns. */
final class PanelCanvas {

    private static final int COLUMN = 50;
    private static final int ROW = 26;
    private static final int GAP = 4;
    private static final int LEGEND_ROW = 12;
    private static final int LEGEND_ROWS = 4;
    /** Of one character of the legend, which has a font of 9.5 pixels. */
    private static final double CHARACTER = 5.1;

    private static final List<String> COLOURS = List.of(
            "#73bf69", "#f2cc0c", "#5794f2", "#ff780a", "#f2495c", "#b877d9", "#8ab8ff", "#ffa6b0", "#96d98d",
            "#fade2a");

    private final double start;
    private final double end;
    private final double step;
    private final StringBuilder body = new StringBuilder();
    private int height;

    /** All panels show the same time: from the first to the last of these, which are sorted. */
    PanelCanvas(double[] times) {
        start = times.length == 0 ? 0 : times[0];
        end = times.length == 0 ? 1 : times[times.length - 1];
        step = times.length < 2 ? 1 : times[1] - times[0];
    }

    void draw(JsonNode panel, List<Series> series) {
        JsonNode place = panel.get("gridPos");
        Box box = new Box(
                place.get("x").asInt() * COLUMN,
                place.get("y").asInt() * ROW,
                place.get("w").asInt() * COLUMN - GAP,
                place.get("h").asInt() * ROW - GAP);
        height = Math.max(height, box.y() + box.height() + GAP);
        String title = panel.get("title").asText();
        String unit = panel.path("fieldConfig").path("defaults").path("unit").asText();
        switch (panel.get("type").asText()) {
            case "row" -> text(box.x() + 6, box.y() + 17, 13, "#ccccdc", "start", "▾ " + title);
            case "stat" -> {
                frame(box, title);
                stat(box, series, unit);
            }
            case "timeseries" -> {
                frame(box, title);
                graph(box, series, unit);
            }
            case String other -> throw new IllegalArgumentException("no drawing of a panel of type " + other);
        }
    }

    String svg() {
        int width = 24 * COLUMN;
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">%n"
                                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#111217\"/>%n",
                        width,
                        height)
                + body + "</svg>\n";
    }

    private void frame(Box box, String title) {
        append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\" fill=\"#181b1f\" stroke=\"#2a2d33\"/>",
                box.x(),
                box.y(),
                box.width(),
                box.height()));
        text(box.x() + 8, box.y() + 16, 12, "#ccccdc", "start", title);
    }

    private void stat(Box box, List<Series> series, String unit) {
        String value = series.isEmpty()
                ? "No data"
                : Quantities.text(series.getFirst().values().getLast(), unit);
        text(box.x() + box.width() / 2, box.y() + box.height() / 2 + 20, 32, "#73bf69", "middle", value);
    }

    private void graph(Box box, List<Series> series, String unit) {
        if (series.isEmpty()) {
            text(box.x() + box.width() / 2, box.y() + box.height() / 2, 12, "#8e8e99", "middle", "No data");
            return;
        }
        Box area = new Box(box.x() + 46, box.y() + 26, box.width() - 56, box.height() - 32 - LEGEND_ROWS * LEGEND_ROW);
        double most = series.stream()
                .flatMap(each -> each.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        double top = Quantities.roundUp(most, unit);
        for (int line = 0; line <= 2; line++) {
            int y = area.y() + area.height() * line / 2;
            append(String.format(
                    Locale.ROOT,
                    "<path d=\"M%d %dh%d\" stroke=\"#2c3235\" stroke-width=\".7\"/>",
                    area.x(),
                    y,
                    area.width()));
            text(area.x() - 4, y + 3, 9, "#8e8e99", "end", Quantities.text(top * (2 - line) / 2, unit));
        }
        for (int i = 0; i < series.size(); i++) {
            line(area, series.get(i), COLOURS.get(i % COLOURS.size()), top);
        }
        legend(new Box(box.x() + 8, area.y() + area.height() + 14, box.width() - 16, 0), series);
    }

    private void line(Box area, Series series, String colour, double top) {
        StringBuilder points = new StringBuilder();
        int last = series.values().size() - 1;
        for (int i = 0; i <= last; i++) {
            // A point between two of the same value adds nothing.
            boolean flat = i > 0
                    && i < last
                    && series.times().get(i + 1) - series.times().get(i - 1) < 2.5 * step
                    && series.values().get(i).equals(series.values().get(i - 1))
                    && series.values().get(i).equals(series.values().get(i + 1));
            if (!flat) {
                boolean gap = i == 0 || series.times().get(i) - series.times().get(i - 1) > 1.5 * step;
                points.append(String.format(
                        Locale.ROOT,
                        "%s%.1f %.1f",
                        gap ? "M" : "L",
                        area.x() + area.width() * (series.times().get(i) - start) / (end - start),
                        area.y() + area.height() * (1 - series.values().get(i) / top)));
            }
        }
        append(String.format(
                Locale.ROOT,
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" stroke-linecap=\"round\"/>",
                points,
                colour));
    }

    private void legend(Box place, List<Series> series) {
        double x = place.x();
        int row = 0;
        for (int i = 0; i < series.size(); i++) {
            String name = series.get(i).name();
            double width = 16 + name.length() * CHARACTER;
            if (x > place.x() && x + width > place.x() + place.width()) {
                x = place.x();
                row++;
            }
            if (row == LEGEND_ROWS - 1 && i < series.size() - 1) {
                text(
                        (int) x,
                        place.y() + row * LEGEND_ROW,
                        9.5,
                        "#8e8e99",
                        "start",
                        "and " + (series.size() - i) + " more");
                return;
            }
            append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"9\" height=\"3\" fill=\"%s\"/>",
                    (int) x,
                    place.y() + row * LEGEND_ROW - 5,
                    COLOURS.get(i % COLOURS.size())));
            text((int) x + 12, place.y() + row * LEGEND_ROW, 9.5, "#ccccdc", "start", name);
            x += width + 8;
        }
    }

    private void text(int x, int y, double size, String colour, String anchor, String text) {
        append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" font-size=\"%s\" fill=\"%s\" text-anchor=\"%s\">%s</text>",
                x,
                y,
                size == Math.rint(size) ? Integer.toString((int) size) : Double.toString(size),
                colour,
                anchor,
                text.replace("&", "&amp;").replace("<", "&lt;")));
    }

    private void append(String element) {
        body.append(element).append('\n');
    }

    private record Box(int x, int y, int width, int height) {}
}
