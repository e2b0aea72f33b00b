package io.bucketwright.app.monitoring;

import java.util.Locale;

/** Numbers as Grafana writes them. */
final class Quantities {

    private static final double MEBIBYTE = 1 << 20;

    private Quantities() {}

    /**
     * A number with its unit.
     *
     * @param unit as in the dashboard; numbers of others are written without one
     */
    static String text(double value, String unit) {
        return switch (unit) {
            case "s" -> seconds(value);
            case "percentunit" -> number(value * 100) + " %";
            case "bytes" -> number(value / MEBIBYTE) + " MiB";
            case "ops" -> number(value) + "/s";
            default -> number(value);
        };
    }

    /** The least of 1, 2, 5, 10, 20, 50, … that is not less, so that an axis ends at a plain number. */
    static double roundUp(double value, String unit) {
        if (unit.equals("bytes")) {
            return roundUp(value / MEBIBYTE) * MEBIBYTE;
        }
        if (unit.equals("s") && roundUp(value) > 60) {
            return roundUp(value / 60) * 60;
        }
        return unit.equals("percentunit") ? roundUp(value * 100) / 100 : roundUp(value);
    }

    private static double roundUp(double value) {
        if (value <= 0) {
            return 1;
        }
        double magnitude = Math.pow(10, Math.floor(Math.log10(value)));
        for (int factor : new int[] {1, 2, 5}) {
            if (value <= factor * magnitude) {
                return factor * magnitude;
            }
        }
        return 10 * magnitude;
    }

    private static String seconds(double value) {
        if (value == 0) {
            return "0 s";
        }
        if (value < 1) {
            return number(value * 1000) + " ms";
        }
        return value < 60 ? number(value) + " s" : number(value / 60) + " min";
    }

    private static String number(double value) {
        String text =
                value >= 100 ? String.format(Locale.ROOT, "%.0f", value) : String.format(Locale.ROOT, "%.2f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
