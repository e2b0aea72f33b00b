package io.bucketwright.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ValuesTest {

    @Test
    void aSecretPrintsNothingAndComparesByValue() {
        SecretValue secret = SecretValue.of("hush");
        assertThat(secret).hasToString("***").isEqualTo(SecretValue.of("hush")).isNotEqualTo(SecretValue.of("husk"));
        assertThat(new Credentials.AccessKey("id", secret).toString() + new Credentials("id", Map.of("key", secret)))
                .doesNotContain("hush");
        assertThat(new AdministratorSecret(Map.of("key", secret)).toString()).doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource({
        "https://s3.example.com, true, s3.example.com, 443, https://s3.example.com",
        "http://s3.example.com/, false, s3.example.com, 80, http://s3.example.com",
        "HTTPS://host:9000, true, host, 9000, https://host:9000",
        "http://[::1]:9000, false, [::1], 9000, http://[::1]:9000"
    })
    void anEndpointIsParsed(String url, boolean secure, String host, int port, String shown) {
        assertThat(Endpoint.parse(url))
                .isEqualTo(new Endpoint(secure, host, port))
                .hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s3.example.com",
                "ftp://host",
                "https://",
                "https://host/path",
                "https://host?x=1",
                "https://host:99999"
            })
    void anInvalidEndpointIsRejected(String url) {
        assertThatThrownBy(() -> Endpoint.parse(url)).isInstanceOf(Invalid.class);
    }

    @Test
    void aPasswordInAnEndpointIsNotShown() {
        assertThatThrownBy(() -> Endpoint.parse("https://me:hush@host"))
                .isInstanceOf(Invalid.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hush"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "a*", "a?", "${aws:username}/", "/a", "a\"b", "a\\b", "a\nb", "a b"})
    void aPrefixCannotWidenAPolicy(String prefix) {
        assertThatThrownBy(() -> Access.readWrite().withPrefix(prefix)).isInstanceOf(Invalid.class);
    }

    @Test
    void aMalformedActionIsRejected() {
        assertThat(Access.readWrite()
                        .withActions(Set.of("s3:Get*"), Set.of("*"))
                        .allow())
                .containsExactly("s3:Get*");
        assertThatThrownBy(() -> Access.readWrite().withActions(Set.of("s3:Get\""), Set.of()))
                .isInstanceOf(Invalid.class);
    }

    @Test
    void anOwnerNamesItsPrincipal() {
        BucketOwner owner = new BucketOwner("cluster", "0a1b2c3d-0000-4000-8000-000000000001");
        assertThat(owner.principal()).hasToString("bw-0a1b2c3d-0000-4000-8000-000000000001");
        assertThatThrownBy(() -> new BucketOwner("cluster", "")).hasMessageStartingWith("uid");
        assertThatThrownBy(() -> new BucketOwner("a b", "1")).hasMessageStartingWith("clusterId");
        assertThatThrownBy(() -> new BucketOwner("a", "x".repeat(61))).isInstanceOf(Invalid.class);
    }

    @Test
    void aCallEndsAfterItsDeadline() {
        AtomicLong now = new AtomicLong();
        Duration limit = Duration.ofSeconds(1);
        StoreCall call = new StoreCall(limit, limit, () -> Duration.ofDays(1), now::get);
        call.check();
        now.set(Duration.ofSeconds(2).toNanos());
        assertThat(call.remaining()).isZero();
        assertThatThrownBy(call::check).isInstanceOf(Unavailable.class);
    }

    @Test
    void aCallCanConsistOfManyRequestsEachWithALimit() {
        AtomicLong now = new AtomicLong();
        Duration limit = Duration.ofSeconds(10);
        StoreCall call = new StoreCall(Duration.ofMinutes(1), limit, () -> Duration.ofDays(1), now::get);
        now.set(Duration.ofSeconds(40).toNanos());
        call.check();
        assertThat(call.remaining()).isEqualTo(limit);
        now.set(Duration.ofSeconds(55).toNanos());
        assertThat(call.remaining()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aCallLastsNoLongerThanItsCallerMaySendRequests() {
        AtomicReference<Duration> permitted = new AtomicReference<>(Duration.ofMillis(100));
        StoreCall call = StoreCall.within(Duration.ofMinutes(1), permitted::get);
        call.check();
        assertThat(call.remaining()).isEqualTo(Duration.ofMillis(100));
        permitted.set(Duration.ofDays(1));
        assertThat(call.remaining()).isLessThanOrEqualTo(Duration.ofMinutes(1));
        permitted.set(Duration.ZERO);
        assertThat(call.remaining()).isZero();
        assertThatThrownBy(call::check)
                .isInstanceOf(Unavailable.class)
                .hasMessage("The call was stopped: another process may be the leader.");
        assertThatThrownBy(() -> call.interruptible(() -> "sent")).isInstanceOf(Unavailable.class);
    }

    @Test
    void cancelInterruptsOnlyTheRequestInFlight() throws InterruptedException {
        StoreCall call = StoreCall.within(Duration.ofMinutes(1));
        CountDownLatch waiting = new CountDownLatch(1);
        Thread canceller = Thread.ofVirtual().start(() -> {
            try {
                waiting.await();
                call.cancel();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        boolean interrupted = call.interruptible(() -> {
            waiting.countDown();
            try {
                Thread.sleep(Duration.ofMinutes(1));
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
            }
        });
        canceller.join();
        assertThat(interrupted).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThatThrownBy(call::check).isInstanceOf(Unavailable.class).hasMessageContaining("cancelled");
    }

    @Test
    void cancelInterruptsARequestAfterAPauseWithinIt() throws InterruptedException {
        StoreCall call = StoreCall.within(Duration.ofMinutes(1));
        CountDownLatch paused = new CountDownLatch(1);
        Thread canceller = Thread.ofVirtual().start(() -> {
            try {
                paused.await();
                call.cancel();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        boolean interrupted = call.interruptible(() -> {
            call.pause(Duration.ofMillis(1));
            paused.countDown();
            try {
                Thread.sleep(Duration.ofSeconds(20));
                return false;
            } catch (InterruptedException e) {
                return true;
            }
        });
        canceller.join();
        assertThat(interrupted).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aSchemaValidatesAddsDefaultsAndDocuments() {
        ParameterSchema schema = ParameterSchema.of(
                Parameter.required("endpoint", "Where.").checkedBy(Endpoint::parse),
                Parameter.optional("pathStyle", "How.").withDefault("true").bool());
        assertThat(schema.parse(Map.of("endpoint", "http://a", "reclaimPolicy", "Delete"), Set.of("reclaimPolicy"))
                        .values())
                .isEqualTo(Map.of("endpoint", "http://a", "pathStyle", "true"));
        assertThatThrownBy(() -> schema.parse(Map.of("endpoint", "http://a", "reclaimPolicy", "Delete")))
                .hasMessage("parameter \"reclaimPolicy\" is unknown; docs/reference/parameters.md has all parameters");
        assertThatThrownBy(() -> schema.parse(Map.of())).hasMessageContaining("endpoint is missing");
        assertThat(schema.markdown()).contains("| `endpoint` | Where. | **required** |", "`true`");
        assertThatThrownBy(() -> schema.plus(schema)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMissingAdministratorsKeyIsNamed() {
        assertThatThrownBy(() -> AdministratorSecret.none().require("A", "B"))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("A, B");
    }

    @Test
    void accessModesAreParsedInAllSpellings() {
        assertThat(AccessMode.parse("ReadOnly")).isEqualTo(AccessMode.READ_ONLY);
        assertThat(AccessMode.parse("rw")).isEqualTo(AccessMode.READ_WRITE);
        assertThat(AccessMode.parse("WRITE_ONLY")).isEqualTo(AccessMode.WRITE_ONLY);
        assertThatThrownBy(() -> AccessMode.parse("admin")).isInstanceOf(Invalid.class);
        assertThat(OnNotEmpty.parse("Purge")).isEqualTo(OnNotEmpty.PURGE);
    }
}
