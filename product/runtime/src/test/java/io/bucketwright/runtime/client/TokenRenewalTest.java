package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.connection.BlockingClientFactory;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TokenRenewalTest {

    private static final Interceptor.RequestTags NO_TAGS = new Interceptor.RequestTags() {
        @Override
        public <T> @Nullable T getTag(Class<T> type) {
            return null;
        }
    };

    private final ManualTime time = new ManualTime();
    private final CountingConfig config = new CountingConfig();
    private final List<Runnable> tasks = new ArrayList<>();
    private final TokenRenewal renewal = new TokenRenewal(config, new BlockingClientFactory(), time, tasks::add);

    /** What fabric8 reads again is counted, and contains no token. */
    private static final class CountingConfig extends Config {
        private int reads;
        private String next = "";

        @Override
        public Config refresh() {
            reads++;
            if (next.isEmpty()) {
                return this;
            }
            Config read = Config.empty();
            read.setAutoOAuthToken(next);
            return read;
        }
    }

    @Test
    void aConfigurationWithoutATokenIsReadOnceAMinute() {
        for (int second = 0; second < 150; second++) {
            time.advance(Duration.ofSeconds(1));
            request();
            run();
        }
        assertThat(config.reads).isEqualTo(2);
    }

    @Test
    void aTokenIsAddedToEachRequest() {
        config.setAutoOAuthToken("abc");
        assertThat(request()).containsExactly("Bearer abc");
        assertThat(request()).containsExactly("Bearer abc");
        assertThat(tasks).isEmpty();
    }

    @Test
    void aTokenIsReadAheadInAnotherThreadThatNoRequestWaitsFor() {
        config.setAutoOAuthToken("old");
        config.next = "new";
        time.advance(Duration.ofSeconds(61));
        for (int i = 0; i < 10; i++) {
            assertThat(request()).containsExactly("Bearer old");
        }
        assertThat(tasks).as("one thread").hasSize(1);
        run();
        assertThat(config.reads).isOne();
        assertThat(request()).containsExactly("Bearer new");
    }

    @Test
    void aPluginThatHangsIsNotStartedAgainForMinutes() {
        config.setAutoOAuthToken("old");
        for (int seconds = 0; seconds < 350; seconds += 10) {
            time.advance(Duration.ofSeconds(10));
            assertThat(request()).containsExactly("Bearer old");
        }
        assertThat(tasks).hasSize(1);
        time.advance(Duration.ofMinutes(1));
        request();
        assertThat(tasks).hasSize(2);
    }

    @Test
    void requestsThatAreRejectedShareOneNewToken() {
        config.setAutoOAuthToken("old");
        config.next = "new";
        time.advance(Duration.ofSeconds(10));
        StandardHttpRequest.Builder one = builder();
        StandardHttpRequest.Builder two = builder();
        CompletableFuture<Boolean> first = renewal.afterFailure(one, rejected(one), NO_TAGS);
        CompletableFuture<Boolean> second = renewal.afterFailure(two, rejected(two), NO_TAGS);
        assertThat(tasks).hasSize(1);
        run();
        assertThat(first.join()).isTrue();
        assertThat(second.join()).isTrue();
        assertThat(one.build().headers("Authorization")).containsExactly("Bearer new");
        assertThat(two.build().headers("Authorization")).containsExactly("Bearer new");
        StandardHttpRequest.Builder late = builder();
        assertThat(renewal.afterFailure(late, rejected(late), NO_TAGS).join()).isTrue();
        assertThat(config.reads).isOne();
    }

    private void run() {
        List<Runnable> due = List.copyOf(tasks);
        tasks.clear();
        due.forEach(Runnable::run);
    }

    private static HttpResponse<?> rejected(StandardHttpRequest.Builder request) {
        return new WebSocketUpgradeResponse(request.build(), 401, Map.of());
    }

    private static StandardHttpRequest.Builder builder() {
        StandardHttpRequest.Builder builder = new StandardHttpRequest.Builder();
        builder.uri("http://127.0.0.1:9/");
        return builder;
    }

    private List<String> request() {
        StandardHttpRequest.Builder builder = builder();
        renewal.before(builder, builder.build(), NO_TAGS);
        return builder.build().headers("Authorization");
    }
}
