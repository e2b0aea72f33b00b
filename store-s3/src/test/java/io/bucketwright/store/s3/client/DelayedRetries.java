package io.bucketwright.store.s3.client;

import java.time.Duration;
import software.amazon.awssdk.retries.api.AcquireInitialTokenRequest;
import software.amazon.awssdk.retries.api.AcquireInitialTokenResponse;
import software.amazon.awssdk.retries.api.RecordSuccessRequest;
import software.amazon.awssdk.retries.api.RecordSuccessResponse;
import software.amazon.awssdk.retries.api.RefreshRetryTokenRequest;
import software.amazon.awssdk.retries.api.RefreshRetryTokenResponse;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.retries.api.RetryToken;

/**
 * Allows every request, after a delay.
 *
 * @param first before the first attempt, as the adaptive mode has it after many throttled requests
 * @param next before each further attempt
 * @param onRetry what happens before the delay of a further attempt
 */
record DelayedRetries(Duration first, Duration next, Runnable onRetry) implements RetryStrategy {

    private record Token() implements RetryToken {}

    @Override
    public AcquireInitialTokenResponse acquireInitialToken(AcquireInitialTokenRequest request) {
        return AcquireInitialTokenResponse.create(new Token(), first);
    }

    @Override
    public RefreshRetryTokenResponse refreshRetryToken(RefreshRetryTokenRequest request) {
        onRetry.run();
        return RefreshRetryTokenResponse.create(new Token(), next);
    }

    @Override
    public RecordSuccessResponse recordSuccess(RecordSuccessRequest request) {
        return RecordSuccessResponse.create(request.token());
    }

    @Override
    public int maxAttempts() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Builder<?, ?> toBuilder() {
        throw new UnsupportedOperationException();
    }
}
