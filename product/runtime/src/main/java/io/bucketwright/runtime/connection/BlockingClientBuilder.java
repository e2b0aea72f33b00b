package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.TlsVersion;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Builds a client, or one that shares the connections of another. */
final class BlockingClientBuilder
        extends StandardHttpClientBuilder<BlockingHttpClient, BlockingClientFactory, BlockingClientBuilder> {

    private @Nullable ReloadedTls reloaded;

    BlockingClientBuilder(BlockingClientFactory factory) {
        super(factory);
    }

    @Override
    public HttpClient build() {
        @Nullable BlockingHttpClient shared = client;
        if (shared != null) {
            return new BlockingHttpClient(this, shared.sender(), clientFactory.executor(), shared.getClosed());
        }
        SocketConnector connector = new SocketConnector(
                proxyType, proxyAddress, proxyAuthorization, connectTimeout(), tls(), protocols(), tlsServerName);
        ConnectionPool pool = new ConnectionPool(connector, clientFactory.monitor());
        return new BlockingHttpClient(
                this, new RequestSender(pool, clientFactory.monitor()), clientFactory.executor(), new AtomicBoolean());
    }

    private @Nullable Duration connectTimeout() {
        return connectTimeout == null || connectTimeout.isZero() ? null : connectTimeout;
    }

    /** TLS of a configuration; {@link #sslContext} would be final. */
    void tls(ReloadedTls configured) {
        reloaded = configured;
    }

    private ReloadedTls tls() {
        try {
            if (sslContext != null) {
                return ReloadedTls.fixed(sslContext);
            }
            return reloaded == null ? ReloadedTls.fixed(SSLContext.getDefault()) : reloaded;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("The JDK has no TLS", e);
        }
    }

    private List<String> protocols() {
        return tlsVersions == null || tlsVersions.length == 0
                ? List.of()
                : Arrays.stream(tlsVersions).map(TlsVersion::javaName).toList();
    }

    @Override
    protected BlockingClientBuilder newInstance(BlockingClientFactory factory) {
        return new BlockingClientBuilder(factory);
    }
}
