package io.bucketwright.store.options;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses quantities in the format of Kubernetes: {@code 10Gi}, {@code 1.5G}, {@code 2000}. */
final class Quantity {

    private static final int MAX_LENGTH = 40;
    private static final Pattern SYNTAX = Pattern.compile("(\\d+(?:\\.\\d+)?)(?:([kKMGTPE])|([KMGTPE])i)?");
    private static final String PREFIXES = "KMGTPE";

    private Quantity() {}

    static long parse(String field, String text) {
        Matcher matcher = SYNTAX.matcher(text.strip());
        if (text.length() > MAX_LENGTH || !matcher.matches()) {
            throw invalid(field, text);
        }
        BigDecimal factor = power(1000, matcher.group(2)).multiply(power(1024, matcher.group(3)));
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

    /** One for no prefix. */
    private static BigDecimal power(int base, @Nullable String prefix) {
        return prefix == null
                ? BigDecimal.ONE
                : BigDecimal.valueOf(base).pow(PREFIXES.indexOf(prefix.toUpperCase(Locale.ROOT)) + 1);
    }
}
