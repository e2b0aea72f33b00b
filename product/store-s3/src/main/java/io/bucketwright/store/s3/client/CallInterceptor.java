package io.bucketwright.store.s3.client;

import io.bucketwright.store.StoreCall;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Checks the {@link StoreCall} once more immediately before a request is transmitted: building and signing a request takes
 * time, and the process may have been stopped meanwhile.
 */
public final class CallInterceptor implements ExecutionInterceptor {

    static final ExecutionAttribute<StoreCall> CALL = new ExecutionAttribute<>("BucketwrightStoreCall");

    /** Receives the operation that is sent, such as {@code S3.CreateBucket}. */
    static final ExecutionAttribute<AtomicReference<String>> OPERATION =
            new ExecutionAttribute<>("BucketwrightOperation");

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        @Nullable AtomicReference<String> operation = attributes.getAttribute(OPERATION);
        if (operation != null) {
            operation.set(attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME) + "."
                    + attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME));
        }
        @Nullable StoreCall call = attributes.getAttribute(CALL);
        if (call != null) {
            call.check();
        }
    }
}
