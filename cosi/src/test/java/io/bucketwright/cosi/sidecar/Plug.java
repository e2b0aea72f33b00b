package io.bucketwright.cosi.sidecar;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

/** The API server's end of a process that dies when a test says so: from then on none of its requests is answered or sent. */
final class Plug {

    private volatile boolean pulled;

    void pull() {
        pulled = true;
    }

    boolean pulled() {
        return pulled;
    }

    HttpClient.Factory wrap(HttpClient.Factory factory) {
        return new HttpClient.Factory() {
            @Override
            public HttpClient.Builder newBuilder(Config config) {
                return plugged(HttpClient.Builder.class, factory.newBuilder(config));
            }

            @Override
            public HttpClient.Builder newBuilder() {
                return plugged(HttpClient.Builder.class, factory.newBuilder());
            }
        };
    }

    // Builders and clients derive from each other in several ways; whatever comes out of one of ours is ours again.
    private <T> T plugged(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                Plug.class.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    boolean sends = method.getName().equals("sendAsync")
                            || method.getName().equals("consumeBytes");
                    if (sends && pulled) {
                        return CompletableFuture.failedFuture(new IOException("this process is dead"));
                    }
                    Object result = call(target, method, arguments);
                    if (result instanceof HttpClient.Builder && type == HttpClient.Builder.class) {
                        return plugged(HttpClient.Builder.class, result);
                    }
                    if (result instanceof HttpClient.DerivedClientBuilder) {
                        return plugged(HttpClient.DerivedClientBuilder.class, result);
                    }
                    return result instanceof HttpClient ? plugged(HttpClient.class, result) : result;
                }));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
