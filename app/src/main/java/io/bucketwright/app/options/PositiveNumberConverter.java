package io.bucketwright.app.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a whole number that is at least 1. */
public final class PositiveNumberConverter implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new TypeConversionException("\"" + text + "\" is not a whole number of at least 1");
    }
}
