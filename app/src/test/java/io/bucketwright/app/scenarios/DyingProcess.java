package io.bucketwright.app.scenarios;

import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.ParameterSchema;
import io.bucketwright.store.Parameters;
import io.bucketwright.store.StoreException.Unavailable;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.CrashingClient.Moment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A process that dies at its N-th call to the store, after that took effect or before: from then on it reaches neither
 * the store nor the API server. It lives until it is told when to die.
 */
final class DyingProcess {

    /** They ask nothing of the store. */
    private static final Set<String> FREE = Set.of("capabilities", "close", "equals", "hashCode", "toString");

    private Moment moment = Moment.BEFORE_EFFECT;
    private int fatal = Integer.MAX_VALUE;
    private int calls;

    /** Dies at that call, counted from now. */
    synchronized void dieAt(int call, Moment when) {
        calls = 0;
        fatal = call;
        moment = when;
    }

    synchronized boolean died() {
        return calls >= fatal;
    }

    /** Stores of that kind and a connection to the API server, both as mortal as this. */
    BucketProvisioner.Builder equip(BucketProvisioner.Builder builder, String kind) {
        StoreFactory real = Stores.installed().factory(kind);
        return builder.stores(new Stores(List.of(new Mortal(real))), kind).http(this::mortal);
    }

    private HttpClient.Factory mortal(HttpClient.Factory factory) {
        return new HttpClient.Factory() {
            @Override
            public HttpClient.Builder newBuilder(Config config) {
                return mortal(factory.newBuilder(config));
            }

            @Override
            public HttpClient.Builder newBuilder() {
                return mortal(factory.newBuilder());
            }
        };
    }

    private HttpClient.Builder mortal(HttpClient.Builder client) {
        return client.addOrReplaceInterceptor("MORTALITY", new Interceptor() {
            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                if (died()) {
                    throw new ApiException(new ApiError.Unavailable("this process is dead"));
                }
            }
        });
    }

    private @Nullable Object call(BucketStore store, Method method, Object @Nullable [] arguments) throws Throwable {
        boolean last = false;
        if (!FREE.contains(method.getName())) {
            synchronized (this) {
                calls++;
                last = calls == fatal;
                if (calls > fatal || (last && moment == Moment.BEFORE_EFFECT)) {
                    throw new Unavailable("this process is dead");
                }
            }
        }
        try {
            Object answer = method.invoke(store, arguments);
            if (last) {
                throw new Unavailable("this process is dead");
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private final class Mortal implements StoreFactory {
        private final StoreFactory real;

        Mortal(StoreFactory real) {
            this.real = real;
        }

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public ParameterSchema parameters() {
            return real.parameters();
        }

        @Override
        public BucketStore open(Parameters parameters, AdministratorSecret administrator) {
            BucketStore store = real.open(parameters, administrator);
            return (BucketStore) Proxy.newProxyInstance(
                    BucketStore.class.getClassLoader(),
                    new Class<?>[] {BucketStore.class},
                    (_, method, arguments) -> call(store, method, arguments));
        }
    }
}
