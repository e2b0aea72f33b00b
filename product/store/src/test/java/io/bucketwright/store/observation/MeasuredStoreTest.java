package io.bucketwright.store.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MeasuredStoreTest {

    private static final BucketName PHOTOS = new BucketName("photos");

    private final List<String> calls = new ArrayList<>();
    private final StoreCall call = StoreCall.within(Duration.ofSeconds(10));

    private MeasuredStore store(Supplier<RuntimeException> failure) {
        BucketStore failing = (BucketStore)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {CompleteStore.class}, (_, _, _) -> {
                    throw failure.get();
                });
        return new MeasuredStore("s3", failing, (store, operation, result, took) -> {
            assertThat(took).isGreaterThanOrEqualTo(Duration.ZERO);
            calls.add(store + " " + operation.text() + " " + result);
        });
    }

    private void usage(MeasuredStore store) {
        store.run(StoreOperation.USAGE, call, s -> s.usage(call, PHOTOS));
    }

    /** A method that somebody adds to the interface must not be missing in the metrics. */
    @Test
    void everyMethodThatSendsRequestsHasAnOperationOfItsName() {
        assertThat(Arrays.stream(CompleteStore.class.getMethods())
                        .filter(method ->
                                Arrays.asList(method.getParameterTypes()).contains(StoreCall.class))
                        .map(method ->
                                method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(StoreOperation.class.getFields())
                        .map(MeasuredStoreTest::text)
                        .toList());
    }

    private static String text(Field operation) {
        try {
            return ((StoreOperation<?>) operation.get(null)).text();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anOperationThatTheStoreDoesNotImplementIsUnsupported() {
        BucketStore minimal = (BucketStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BucketStore.class}, (_, _, _) -> null);
        MeasuredStore store = new MeasuredStore(
                "own", minimal, (_, operation, result, _) -> calls.add(operation.text() + " " + result));
        assertThatExceptionOfType(StoreException.Unsupported.class).isThrownBy(() -> usage(store));
        assertThat(calls).containsExactly("usage unsupported");
    }

    @Test
    void aSuccessIsOk() {
        MeasuredStore none = new MeasuredStore(
                "s3",
                (BucketStore) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {CompleteStore.class}, (_, _, _) -> null),
                (_, operation, result, _) -> calls.add(operation.text() + " " + result));
        assertThat(none.capabilities()).isNull();
        usage(none);
        assertThat(calls).containsExactly("usage ok");
    }

    @Test
    void aCallThatItsCallerCancelledIsNoFailureOfTheStore() {
        MeasuredStore store = store(() -> new Unavailable("The call was cancelled."));
        call.cancel();
        assertThatExceptionOfType(Unavailable.class).isThrownBy(() -> usage(store));
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
            assertThat(catchThrowable(() -> usage(store(() -> error)))).isSameAs(error);
        }
        assertThat(catchThrowable(() -> usage(store(() -> new IllegalStateException("x")))))
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
