package io.bucketwright.store.http;

import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The HTTP proxy between the controller and the servers of a store: that of the class, or else of the environment. Never the
 * JDK's own choice, which has other variables.
 */
final class StoreProxy extends ProxySelector {

    private static final String NONE = "none";

    private final TransportSettings settings;
    private final Map<String, String> environment;

    /** @param environment the variables of this process, which decide if the class does not */
    StoreProxy(TransportSettings settings, Map<String, String> environment) {
        this.settings = settings;
        this.environment = Map.copyOf(environment);
    }

    /** @throws Invalid if it is neither {@code none} nor an http URL without a path and a password */
    static void check(String text) {
        if (!text.equals(NONE) && Endpoint.parse(text).secure()) {
            throw new Invalid("the URL of a proxy must begin with http://; requests to an https endpoint stay encrypted"
                    + " in it");
        }
    }

    @Override
    public List<Proxy> select(URI uri) {
        return List.of(find(uri)
                .map(proxy -> new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxy.host(), proxy.port())))
                .orElse(Proxy.NO_PROXY));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // The request fails and reports it.
    }

    private Optional<Endpoint> find(URI uri) {
        String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
        if (isLoopback(host) || settings.directHosts().stream().anyMatch(host::equalsIgnoreCase)) {
            return Optional.empty();
        }
        if (!settings.proxy().isEmpty()) {
            return Optional.of(settings.proxy())
                    .filter(Predicate.not(NONE::equals))
                    .map(Endpoint::parse);
        }
        if (isExcluded(host, variable("NO_PROXY"))) {
            return Optional.empty();
        }
        String url = variable("https".equalsIgnoreCase(uri.getScheme()) ? "HTTPS_PROXY" : "HTTP_PROXY");
        return Optional.of(url).filter(Predicate.not(String::isBlank)).map(StoreProxy::ofVariable);
    }

    private static Endpoint ofVariable(String url) {
        try {
            // Some tools accept a path, or a variable without a scheme.
            URI uri = URI.create(url.contains("://") ? url : "http://" + url);
            return Endpoint.parse(new URI("http", null, uri.getHost(), uri.getPort(), null, null, null).toString());
        } catch (IllegalArgumentException | URISyntaxException | Invalid malformed) {
            // Without the cause, which can contain a password.
            throw new Invalid("HTTPS_PROXY or HTTP_PROXY in the environment of the controller is not a URL");
        }
    }

    private String variable(String name) {
        return environment.getOrDefault(name, environment.getOrDefault(name.toLowerCase(Locale.ROOT), ""));
    }

    private static boolean isExcluded(String host, String hosts) {
        return Stream.of(hosts.toLowerCase(Locale.ROOT).split(",", -1))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty))
                .map(excluded -> excluded.startsWith(".") ? excluded.substring(1) : excluded)
                .anyMatch(excluded -> excluded.equals("*") || host.equals(excluded) || host.endsWith("." + excluded));
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }
}
