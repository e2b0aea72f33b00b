package io.bucketwright.app.options;

import io.bucketwright.runtime.leader.LeaseTiming;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the lease duration; the renew deadline and the retry period are derived from it. */
final class LeaseTimingConverter implements ITypeConverter<LeaseTiming> {

    @Override
    public LeaseTiming convert(String text) {
        try {
            return LeaseTiming.lasting(new DurationConverter().convert(text));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("\"" + text + "\" is shorter than 1s");
        }
    }
}
