package io.bucketwright.store.s3;

import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Loses the response to the N-th request, which took effect, and sends no later request. */
final class FailingInterceptor implements ExecutionInterceptor {

    private final int last;
    private final AtomicInteger sent = new AtomicInteger();

    FailingInterceptor(int last) {
        this.last = last;
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        if (sent.incrementAndGet() > last) {
            throw SdkClientException.create("the process has crashed");
        }
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        if (sent.get() >= last) {
            throw SdkClientException.create("the response is lost");
        }
    }
}
