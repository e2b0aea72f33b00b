package io.bucketwright.store.s3.client;

import io.bucketwright.store.StoreCall;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Checks the {@link StoreCall} once more immediately before a request is transmitted: building and signing a request takes
 * time, and the process may have been stopped meanwhile.
 */
public final class CallInterceptor implements ExecutionInterceptor {

    static final ExecutionAttribute<StoreCall> CALL = new ExecutionAttribute<>("BucketwrightStoreCall");

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        @Nullable StoreCall call = attributes.getAttribute(CALL);
        if (call != null) {
            call.check();
        }
    }
}
