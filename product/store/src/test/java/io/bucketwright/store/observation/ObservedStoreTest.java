package io.bucketwright.store.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ObservedStoreTest {

    private static final BucketName PHOTOS = new BucketName("photos");

    private final List<String> calls = new ArrayList<>();
    private final StoreCall call = StoreCall.within(Duration.ofSeconds(10));

    private ObservedStore store(Supplier<RuntimeException> failure) {
        BucketStore failing = (BucketStore)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {BucketStore.class}, (_, _, _) -> {
                    throw failure.get();
                });
        return new ObservedStore("s3", failing, (store, operation, result, took) -> {
            assertThat(took).isGreaterThanOrEqualTo(Duration.ZERO);
            calls.add(store + " " + operation.text() + " " + result.text());
        });
    }

    /** A method that somebody adds to the interface must not be missing in the metrics. */
    @Test
    void everyMethodThatSendsRequestsIsReportedOnceUnderItsName() throws IllegalAccessException {
        ObservedStore store = store(() -> new NotFound("gone"));
        List<Method> methods = Arrays.stream(BucketStore.class.getMethods())
                .filter(method -> Arrays.asList(method.getParameterTypes()).contains(StoreCall.class))
                .toList();
        for (Method method : methods) {
            calls.clear();
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(type -> type == StoreCall.class ? call : null)
                    .toArray();
            try {
                method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                assertThat(e.getCause()).isInstanceOf(NotFound.class);
            }
            String name = method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            assertThat(calls).as(method.getName()).containsExactly("s3 " + name + " not-found");
        }
        assertThat(methods.stream().map(Method::getName).distinct()).hasSameSizeAs(StoreOperation.values());
    }

    @Test
    void aSuccessIsOk() {
        ObservedStore none = new ObservedStore(
                "s3",
                (BucketStore) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {BucketStore.class}, (_, _, _) -> null),
                (_, operation, result, _) -> calls.add(operation.text() + " " + result.text()));
        none.close();
        assertThat(none.capabilities()).isNull();
        none.usage(call, PHOTOS);
        assertThat(calls).containsExactly("usage ok");
    }

    @Test
    void aCallThatItsCallerCancelledIsNoFailureOfTheStore() {
        ObservedStore store = store(() -> new Unavailable("The call was cancelled."));
        call.cancel();
        assertThatExceptionOfType(Unavailable.class).isThrownBy(() -> store.usage(call, PHOTOS));
        assertThat(calls).containsExactly("s3 usage cancelled");
    }

    @Test
    void eachKindOfErrorHasAResult() {
        List<StoreException> errors = List.of(
                new StoreException.Invalid("x"),
                new StoreException.Denied("x"),
                new StoreException.Taken("x"),
                new NotFound("x"),
                new StoreException.NotEmpty("x"),
                new Unavailable("x"),
                new StoreException.Unsupported("x"));
        for (StoreException error : errors) {
            assertThat(catchThrowable(() -> store(() -> error).usage(call, PHOTOS)))
                    .isSameAs(error);
        }
        assertThat(catchThrowable(
                        () -> store(() -> new IllegalStateException("x")).usage(call, PHOTOS)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(calls)
                .containsExactly(
                        "s3 usage invalid",
                        "s3 usage denied",
                        "s3 usage taken",
                        "s3 usage not-found",
                        "s3 usage not-empty",
                        "s3 usage unavailable",
                        "s3 usage unsupported",
                        "s3 usage unexpected");
    }
}
