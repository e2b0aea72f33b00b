package io.bucketwright.store.s3.iam;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.s3.LoopbackServer;
import io.bucketwright.store.s3.StoreAdministrator;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that does not know a new access key at first, as AWS documents it. */
final class KeyPropagationTest {

    private final LoopbackServer server = new LoopbackServer(this::respond);
    private final AtomicInteger requests = new AtomicInteger();
    private int unknownFor;

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aKeyIsIssuedWhenTheStoreAcceptsIt() {
        unknownFor = 2;
        await(Duration.ofSeconds(20), StoreCall.within(Duration.ofSeconds(60)));
        assertThat(requests).hasValue(3);
    }

    @Test
    void theWaitIsLimitedByTheClassAndByTheCall() {
        unknownFor = Integer.MAX_VALUE;
        // Less than the pause after the first request, and as much as that request may need on a busy machine.
        await(Duration.ofMillis(450), StoreCall.within(Duration.ofSeconds(60)));
        assertThat(requests).as("limited by the class").hasValue(2);
        // Less than what the rest of the call needs.
        StoreCall call = StoreCall.within(Duration.ofMillis(1900));
        await(Duration.ofSeconds(20), call);
        assertThat(requests).as("limited by the call").hasValue(3);
        assertThat(call.remaining()).isPositive();
    }

    @Test
    void withoutALimitThereIsNoRequest() {
        await(Duration.ZERO, StoreCall.within(Duration.ofSeconds(60)));
        assertThat(requests).hasValue(0);
    }

    private void await(Duration longest, StoreCall call) {
        StoreAdministrator administrator = new StoreAdministrator(Map.of("endpoint", server.url()), "id", "secret");
        new KeyPropagation(administrator.clients(), longest)
                .await(call, new BucketName("photos"), SecretValue.of("new"), SecretValue.of("secret"));
    }

    private void respond(HttpExchange exchange) throws IOException {
        boolean unknown = requests.incrementAndGet() <= unknownFor;
        assertThat(exchange.getRequestHeaders().getFirst("Authorization")).contains("Credential=new/");
        LoopbackServer.respond(
                exchange,
                unknown ? 403 : 200,
                unknown ? "<Error><Code>InvalidAccessKeyId</Code></Error>" : "<LocationConstraint/>");
    }
}
