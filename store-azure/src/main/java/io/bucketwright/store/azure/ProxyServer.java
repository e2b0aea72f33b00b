package io.bucketwright.store.azure;

import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The HTTP proxy between the controller and a store. */
final class ProxyServer {

    private static final String NONE = "none";

    private ProxyServer() {}

    /** @throws Invalid if it is neither {@code none} nor an http URL without a path and a password */
    static void check(String text) {
        if (!text.equals(NONE) && Endpoint.parse(text).secure()) {
            throw new Invalid("the URL of a proxy must begin with http://: the JDK connects to proxies without TLS");
        }
    }

    /**
     * The proxy for requests to a store; empty if there is none.
     *
     * @param parameter of the class; empty if it is not set
     * @param environment the variables of this process, which decide without the parameter
     */
    static Optional<Endpoint> find(String parameter, Endpoint store, Map<String, String> environment) {
        if (!parameter.isEmpty()) {
            return Optional.of(parameter).filter(Predicate.not(NONE::equals)).map(Endpoint::parse);
        }
        if (isLoopback(store.host()) || isExcluded(store.host(), variable("NO_PROXY", environment))) {
            return Optional.empty();
        }
        String url = variable(store.secure() ? "HTTPS_PROXY" : "HTTP_PROXY", environment);
        return Optional.of(url).filter(Predicate.not(String::isBlank)).map(ProxyServer::ofVariable);
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

    private static String variable(String name, Map<String, String> environment) {
        return environment.getOrDefault(name, environment.getOrDefault(name.toLowerCase(Locale.ROOT), ""));
    }

    private static boolean isExcluded(String host, String hosts) {
        String lower = host.toLowerCase(Locale.ROOT);
        return Stream.of(hosts.toLowerCase(Locale.ROOT).split(",", -1))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty))
                .map(excluded -> excluded.startsWith(".") ? excluded.substring(1) : excluded)
                .anyMatch(excluded -> excluded.equals("*") || lower.equals(excluded) || lower.endsWith("." + excluded));
    }

    private static boolean isLoopback(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.equals("localhost") || lower.equals("[::1]") || lower.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }
}
