package io.bucketwright.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The client of a process that crashes at its N-th request: that request fails, after it took effect or before it was
 * sent, and so does every later one. A new process then takes over.
 */
public final class CrashingClient {

    /** Whether the API server executes the request at which the process crashes. */
    public enum Moment {
        /** The server executes it; the response never arrives. */
        AFTER_EFFECT,
        /** The server never receives it. */
        BEFORE_EFFECT
    }

    private final int fatal;
    private final Moment moment;
    private final Predicate<HttpRequest> counted;
    private final AtomicInteger requests = new AtomicInteger();

    private CrashingClient(int fatal, Moment moment, Predicate<HttpRequest> counted) {
        if (fatal < 1) {
            throw new IllegalArgumentException("requests are counted from 1, not " + fatal);
        }
        this.fatal = fatal;
        this.moment = moment;
        this.counted = counted;
    }

    /** Crashes at the N-th write. Leases do not count: their renewal depends on the clock. */
    public static CrashingClient atWrite(int fatal, Moment moment) {
        return new CrashingClient(fatal, moment, CrashingClient::isWrite);
    }

    /** As {@link #atWrite}, without Events: another thread writes them, so their place among the writes varies. */
    public static CrashingClient atWriteExceptEvents(int fatal, Moment moment) {
        return new CrashingClient(
                fatal,
                moment,
                request -> isWrite(request) && !request.uri().getPath().contains("/events"));
    }

    private static boolean isWrite(HttpRequest request) {
        return !request.method().equals("GET") && !request.uri().getPath().contains("/leases");
    }

    /** Crashes when {@link #crash} is called. */
    public static CrashingClient onDemand() {
        return new CrashingClient(1, Moment.BEFORE_EFFECT, _ -> false);
    }

    /** Crashes now. */
    public void crash() {
        requests.set(fatal);
    }

    /** Whether the process has crashed. */
    public boolean died() {
        return requests.get() >= fatal;
    }

    /** A client of the process with this configuration; the caller closes it. */
    public KubernetesClient client(Config config) {
        return Clients.builder(config)
                .withHttpClientFactory(wrap(new JdkHttpClientFactory()))
                .build();
    }

    /** Makes the clients of this factory crash. */
    public HttpClient.Factory wrap(HttpClient.Factory factory) {
        return new HttpClient.Factory() {
            @Override
            public HttpClient.Builder newBuilder(Config config) {
                return crashing(HttpClient.Builder.class, factory.newBuilder(config));
            }

            @Override
            public HttpClient.Builder newBuilder() {
                return crashing(HttpClient.Builder.class, factory.newBuilder());
            }
        };
    }

    // Builders and clients derive from each other in several ways; everything derived from a wrapped one is wrapped.
    private <T> T crashing(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                CrashingClient.class.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    if (method.getName().equals("sendAsync") || method.getName().equals("consumeBytes")) {
                        return send(target, method, arguments);
                    }
                    Object result = call(target, method, arguments);
                    if (result instanceof HttpClient.Builder && type == HttpClient.Builder.class) {
                        return crashing(HttpClient.Builder.class, result);
                    }
                    if (result instanceof HttpClient.DerivedClientBuilder) {
                        return crashing(HttpClient.DerivedClientBuilder.class, result);
                    }
                    return result instanceof HttpClient ? crashing(HttpClient.class, result) : result;
                }));
    }

    private CompletableFuture<?> send(Object target, Method method, Object[] arguments) throws Throwable {
        HttpRequest request = (HttpRequest) arguments[0];
        int number = counted.test(request) ? requests.incrementAndGet() : 0;
        if (number == 0 ? died() : number > fatal || (number == fatal && moment == Moment.BEFORE_EFFECT)) {
            return crashed(request);
        }
        CompletableFuture<?> answer = (CompletableFuture<?>) call(target, method, arguments);
        return number == fatal ? answer.thenCompose(_ -> crashed(request)) : answer;
    }

    private static CompletableFuture<Object> crashed(HttpRequest request) {
        return CompletableFuture.failedFuture(new IOException("this process has crashed: " + request.method() + " "
                + request.uri().getPath()));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
