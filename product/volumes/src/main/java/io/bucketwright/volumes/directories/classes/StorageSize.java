package io.bucketwright.volumes.directories.classes;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Sizes in bytes, as Kubernetes quantities. */
public final class StorageSize {

    private StorageSize() {}

    /** Parses a quantity, rounded up to whole bytes. */
    public static long parse(String text) {
        try {
            BigDecimal bytes = Quantity.getAmountInBytes(Quantity.parse(text));
            return bytes.setScale(0, RoundingMode.CEILING).longValueExact();
        } catch (ArithmeticException | IllegalArgumentException | NullPointerException e) {
            throw new IllegalArgumentException("must be a quantity such as 500Mi or 10Gi", e);
        }
    }

    /** Formats a size in the largest unit that keeps it exact. */
    public static String text(long bytes) {
        String[] units = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
        long value = bytes;
        int unit = 0;
        while (value > 0 && value % 1024 == 0 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return value + units[unit];
    }
}
