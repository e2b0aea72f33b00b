package io.bucketwright.app.scenarios;

import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
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
 * A process that crashes at its N-th call to the store, before or after the effect of the call. From then on it reaches
 * neither the store nor the API server. Until {@link #crashAt} it works.
 */
final class CrashingProcess {

    /** Methods that send no request to the store. */
    private static final Set<String> FREE = Set.of(
            "accessEndsWithin", "capabilities", "check", "claimOptions", "close", "equals", "hashCode", "toString");

    private Moment moment = Moment.BEFORE_EFFECT;
    private int fatal = Integer.MAX_VALUE;
    private int calls;
    private boolean dead;

    /** Crashes at that call, counted from now. */
    synchronized void crashAt(int call, Moment when) {
        calls = 0;
        fatal = call;
        moment = when;
    }

    /** Not before the effect of its last call: an effect after the next process has started would be a second fault. */
    synchronized boolean died() {
        return dead;
    }

    /** Stores of that kind and a connection to the API server, which crash with this process. */
    BucketProvisioner.Builder equip(BucketProvisioner.Builder builder, String kind) {
        StoreFactory real = Stores.installed().factory(kind);
        return ClientOptions.http(builder.stores(new Stores(List.of(new CrashingFactory(real))), kind), this::crashing);
    }

    private HttpClient.Factory crashing(HttpClient.Factory factory) {
        return new HttpClient.Factory() {
            @Override
            public HttpClient.Builder newBuilder(Config config) {
                return crashing(factory.newBuilder(config));
            }

            @Override
            public HttpClient.Builder newBuilder() {
                return crashing(factory.newBuilder());
            }
        };
    }

    private HttpClient.Builder crashing(HttpClient.Builder client) {
        return client.addOrReplaceInterceptor("CRASH", new Interceptor() {
            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                if (died()) {
                    throw new ApiException(new ApiError.Unavailable("this process has crashed"));
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
                dead |= last && moment == Moment.BEFORE_EFFECT;
                if (calls > fatal || dead) {
                    throw new Unavailable("this process has crashed");
                }
            }
        }
        try {
            Object answer = method.invoke(store, arguments);
            if (last) {
                throw new Unavailable("this process has crashed");
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            if (last) {
                synchronized (this) {
                    dead = true;
                }
            }
        }
    }

    private final class CrashingFactory implements StoreFactory {
        private final StoreFactory real;

        CrashingFactory(StoreFactory real) {
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
                    CompleteStore.class.getClassLoader(),
                    new Class<?>[] {CompleteStore.class},
                    (_, method, arguments) -> call(store, method, arguments));
        }
    }
}
