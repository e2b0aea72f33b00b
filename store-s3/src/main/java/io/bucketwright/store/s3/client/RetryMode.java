package io.bucketwright.store.s3.client;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;

/**
 * Whether the SDK sends a request again before the call fails. The work queue retries the call in any case, with back-off.
 */
public enum RetryMode {
    OFF,
    /** Exponential back-off with jitter, limited by a token bucket. */
    STANDARD,
    /** As {@link #STANDARD}, and a rate limit that adapts to throttling. */
    ADAPTIVE;

    static RetryMode parse(String text) {
        return Arrays.stream(values())
                .filter(mode -> mode.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new Invalid(InputText.quote(text) + " must be one of "
                        + Arrays.stream(values()).map(RetryMode::text).collect(Collectors.joining(", "))));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    RetryStrategy strategy(int attempts) {
        return switch (this) {
            case OFF -> AwsRetryStrategy.doNotRetry();
            case STANDARD ->
                AwsRetryStrategy.standardRetryStrategy().toBuilder()
                        .maxAttempts(attempts)
                        .build();
            case ADAPTIVE ->
                AwsRetryStrategy.adaptiveRetryStrategy().toBuilder()
                        .maxAttempts(attempts)
                        .build();
        };
    }
}
