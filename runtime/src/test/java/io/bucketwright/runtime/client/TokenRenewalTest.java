package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.connection.BlockingClientFactory;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TokenRenewalTest {

    private final ManualTime time = new ManualTime();
    private final CountingConfig config = new CountingConfig();
    private final TokenRenewal renewal = new TokenRenewal(config, new BlockingClientFactory(), time);

    /** What fabric8 reads again is counted, and contains no token. */
    private static final class CountingConfig extends Config {
        private int reads;

        @Override
        public Config refresh() {
            reads++;
            return this;
        }
    }

    @Test
    void aConfigurationWithoutATokenIsReadOnceAMinute() {
        for (int second = 0; second < 150; second++) {
            time.advance(Duration.ofSeconds(1));
            request();
        }
        assertThat(config.reads).isEqualTo(2);
    }

    @Test
    void aTokenIsAddedToEachRequest() {
        config.setAutoOAuthToken("abc");
        assertThat(request()).containsExactly("Bearer abc");
        assertThat(request()).containsExactly("Bearer abc");
        assertThat(config.reads).isEqualTo(1);
    }

    private List<String> request() {
        StandardHttpRequest.Builder builder = new StandardHttpRequest.Builder();
        builder.uri("http://127.0.0.1:9/");
        renewal.before(builder, builder.build(), new Interceptor.RequestTags() {
            @Override
            public <T> @Nullable T getTag(Class<T> type) {
                return null;
            }
        });
        return builder.build().headers("Authorization");
    }
}
