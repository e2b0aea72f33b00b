package io.bucketwright.store.options;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses quantities in the format of Kubernetes: {@code 10Gi}, {@code 1.5G}, {@code 2000}. */
final class Quantity {

    private static final int MAX_LENGTH = 40;
    private static final Pattern SYNTAX = Pattern.compile("(\\d+(?:\\.\\d+)?)(Ki|Mi|Gi|Ti|Pi|Ei|k|K|M|G|T|P|E)?");
    private static final Map<String, BigDecimal> UNITS = Map.ofEntries(
            Map.entry("Ki", binary(1)),
            Map.entry("Mi", binary(2)),
            Map.entry("Gi", binary(3)),
            Map.entry("Ti", binary(4)),
            Map.entry("Pi", binary(5)),
            Map.entry("Ei", binary(6)),
            Map.entry("k", decimal(1)),
            Map.entry("K", decimal(1)),
            Map.entry("M", decimal(2)),
            Map.entry("G", decimal(3)),
            Map.entry("T", decimal(4)),
            Map.entry("P", decimal(5)),
            Map.entry("E", decimal(6)));

    private Quantity() {}

    static long parse(String field, String text) {
        Matcher matcher = SYNTAX.matcher(text.strip());
        if (text.length() > MAX_LENGTH || !matcher.matches()) {
            throw invalid(field, text);
        }
        String unit = matcher.group(2);
        BigDecimal factor = unit == null ? BigDecimal.ONE : UNITS.getOrDefault(unit, BigDecimal.ONE);
        try {
            return new BigDecimal(matcher.group(1)).multiply(factor).longValueExact();
        } catch (ArithmeticException tooLargeOrFractional) {
            throw invalid(field, text);
        }
    }

    private static Invalid invalid(String field, String text) {
        return new Invalid(field + " " + InputText.quote(text)
                + " must be a whole number of at most 8 EiB, optionally with a unit, such as 2000, 10Gi or 1.5G");
    }

    private static BigDecimal binary(int power) {
        return BigDecimal.valueOf(1024).pow(power);
    }

    private static BigDecimal decimal(int power) {
        return BigDecimal.valueOf(1000).pow(power);
    }
}
