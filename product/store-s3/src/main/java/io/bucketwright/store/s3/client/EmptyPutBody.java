package io.bucketwright.store.s3.client;

import java.util.Optional;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpMethod;

/**
 * Gives a PUT request without a body an empty one. Otherwise the JDK's client sends no Content-Length, which S3 requires of
 * every PUT (411 MissingContentLength), for example when it sets a canned ACL.
 */
final class EmptyPutBody implements ExecutionInterceptor {

    @Override
    public Optional<RequestBody> modifyHttpContent(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
        Optional<RequestBody> body = context.requestBody();
        return body.isEmpty() && context.httpRequest().method() == SdkHttpMethod.PUT
                ? Optional.of(RequestBody.empty())
                : body;
    }
}
