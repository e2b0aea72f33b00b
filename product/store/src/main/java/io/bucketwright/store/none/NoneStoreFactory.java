package io.bucketwright.store.none;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Opens stores that create nothing. */
public final class NoneStoreFactory implements StoreFactory {

    private static final String DELAY = "delayMillis";
    private static final String FAILURES = "failurePercent";
    private static final String BUCKETS = "existingBuckets";

    @Override
    public String name() {
        return "none";
    }

    @Override
    public ParameterSchema parameters() {
        return ParameterSchema.of(
                Parameter.optional(DELAY, "The duration of each call in milliseconds.")
                        .withDefault("0")
                        .checkedBy(value -> number(value, 60_000)),
                Parameter.optional(FAILURES, "The percentage of calls that fail as if the store were unavailable.")
                        .withDefault("0")
                        .checkedBy(value -> number(value, 100)),
                Parameter.optional(BUCKETS, "Buckets that exist from the start, separated by commas.")
                        .checkedBy(NoneStoreFactory::names));
    }

    @Override
    public CompleteStore open(Parameters parameters, AdministratorSecret administrator) {
        FaultInjection faults = new FaultInjection(
                Duration.ofMillis(number(parameters.text(DELAY), 60_000)),
                number(parameters.text(FAILURES), 100),
                new SecureRandom());
        return new NoneStore(faults, names(parameters.find(BUCKETS).orElse("")));
    }

    private static int number(String text, int max) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Rejected below, like a number out of range.
        }
        throw new Invalid(InputText.quote(text) + " must be a number from 0 to " + max);
    }

    private static List<BucketName> names(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(BucketName::new)
                .toList();
    }
}
