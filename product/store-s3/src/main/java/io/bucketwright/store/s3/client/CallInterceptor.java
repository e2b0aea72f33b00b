package io.bucketwright.store.s3.client;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.s3.client.StoreRequest.InFlight;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.awscore.AwsRequest;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpMethod;

/** Applies the limits of the {@link StoreCall} to the request that a {@link StoreRequest} sends. */
final class CallInterceptor implements ExecutionInterceptor {

    @Override
    public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
        AwsRequest request = (AwsRequest) context.request();
        if (!StoreRequest.CURRENT.isBound()) {
            return request;
        }
        Duration remaining = StoreRequest.CURRENT.get().call().remaining();
        return request.toBuilder()
                .overrideConfiguration(request.overrideConfiguration()
                        .map(AwsRequestOverrideConfiguration::toBuilder)
                        .orElseGet(AwsRequestOverrideConfiguration::builder)
                        .apiCallTimeout(remaining.isPositive() ? remaining : Duration.ofMillis(1))
                        .build())
                .build();
    }

    /**
     * Gives a PUT request without a body an empty one. Otherwise the JDK's client sends no Content-Length, which S3 requires of
     * every PUT (411 MissingContentLength), for example when it sets a canned ACL.
     */
    @Override
    public Optional<RequestBody> modifyHttpContent(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
        Optional<RequestBody> body = context.requestBody();
        return body.isEmpty() && context.httpRequest().method() == SdkHttpMethod.PUT
                ? Optional.of(RequestBody.empty())
                : body;
    }

    /**
     * Checks the call once more immediately before a request is transmitted: building and signing a request takes time, and the
     * process may have been stopped meanwhile. An administration API has no operations.
     */
    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        if (StoreRequest.CURRENT.isBound()) {
            InFlight current = StoreRequest.CURRENT.get();
            if (attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME) != null) {
                current.operation()
                        .set(attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME) + "."
                                + attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME));
            }
            current.call().check();
        }
    }
}
