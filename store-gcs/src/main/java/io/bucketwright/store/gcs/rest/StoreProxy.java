package io.bucketwright.store.gcs.rest;

import io.bucketwright.store.connection.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** The proxy of the class, or else of the JVM, for all hosts that a proxy can reach. */
final class StoreProxy extends ProxySelector {

    private final TransportSettings settings;
    private final Optional<ProxySelector> ofTheJvm;

    StoreProxy(TransportSettings settings) {
        this.settings = settings;
        this.ofTheJvm = Optional.ofNullable(ProxySelector.getDefault());
    }

    @Override
    public List<Proxy> select(URI uri) {
        if (settings.isDirect(String.valueOf(uri.getHost()))) {
            return List.of(Proxy.NO_PROXY);
        }
        Optional<Endpoint> proxy = settings.proxy();
        if (proxy.isPresent()) {
            return List.of(new Proxy(
                    Proxy.Type.HTTP,
                    new InetSocketAddress(proxy.get().host(), proxy.get().port())));
        }
        return ofTheJvm.map(selector -> selector.select(uri)).orElse(List.of(Proxy.NO_PROXY));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // The request fails and reports it.
    }
}
