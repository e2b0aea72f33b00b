package io.bucketwright.store.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreProxyTest {

    private static final String CLOUD = "https://photos.blob.example.net";
    private static final Map<String, String> ENVIRONMENT =
            Map.of("HTTPS_PROXY", "http://proxy:3128", "NO_PROXY", "a,.example.com");

    @Test
    void theEnvironmentDecidesIfTheClassDoesNot() {
        assertThat(proxy("", CLOUD, ENVIRONMENT)).isEqualTo("proxy:3128");
        assertThat(proxy("", CLOUD, Map.of("https_proxy", "proxy:3128/"))).isEqualTo("proxy:3128");
        assertThat(proxy("", CLOUD, Map.of())).isEmpty();
    }

    @Test
    void theClassDecidesFirst() {
        assertThat(proxy("none", CLOUD, ENVIRONMENT)).isEmpty();
        assertThat(proxy("http://other:1", CLOUD, ENVIRONMENT)).isEqualTo("other:1");
        assertThat(proxy("http://other:1", "https://photos.example.com", ENVIRONMENT))
                .isEqualTo("other:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://photos.example.com",
                "https://A",
                "http://photos.blob.example.net",
                "https://127.0.0.1",
                "https://localhost",
                "https://metadata.internal"
            })
    void noProxyIsUsed(String url) {
        assertThat(proxy("", url, ENVIRONMENT)).isEmpty();
    }

    /** A proxy elsewhere reaches neither this machine nor a server that responds to this pod only. */
    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:1", "http://LOCALHOST:1", "http://[::1]:1", "http://Metadata.internal"})
    void notEvenThatOfTheClass(String url) {
        assertThat(proxy("http://other:1", url, ENVIRONMENT)).isEmpty();
    }

    @Test
    void aMalformedVariableIsNamed() {
        assertThatThrownBy(() -> proxy("", CLOUD, Map.of("HTTPS_PROXY", "http://::::")))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("HTTPS_PROXY");
    }

    /** Host and port of the proxy; empty if there is none. */
    private static String proxy(String parameter, String url, Map<String, String> environment) {
        TransportSettings settings = new TransportSettings(
                Endpoint.parse(CLOUD),
                Set.of("metadata.internal"),
                "",
                parameter,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        Proxy proxy =
                new StoreProxy(settings, environment).select(URI.create(url)).getFirst();
        return proxy.address() instanceof InetSocketAddress address
                ? address.getHostString() + ":" + address.getPort()
                : "";
    }
}
