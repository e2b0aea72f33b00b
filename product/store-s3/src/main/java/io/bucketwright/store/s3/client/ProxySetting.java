package io.bucketwright.store.s3.client;

import io.bucketwright.store.connection.Endpoint;
import java.util.Locale;
import java.util.Set;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;

/** The HTTP proxy between the controller and a store. */
sealed interface ProxySetting {

    /** As the environment variables and system properties of the process say, and none for loopback addresses. */
    record Environment() implements ProxySetting {}

    record None() implements ProxySetting {}

    record Server(Endpoint endpoint) implements ProxySetting {}

    /** Reads the parameter of a class, which was checked. */
    static ProxySetting of(String text) {
        return text.equals("none") ? new None() : new Server(Endpoint.parse(text));
    }

    default ProxyConfiguration configuration(Endpoint store) {
        return switch (this) {
            case Environment _ ->
                isLoopback(store.host()) ? none() : ProxyConfiguration.builder().build();
            case None _ -> none();
            case Server(Endpoint proxy) ->
                ProxyConfiguration.builder()
                        .endpoint(proxy.uri())
                        .nonProxyHosts(Set.of())
                        .useSystemPropertyValues(false)
                        .useEnvironmentVariablesValues(false)
                        .build();
        };
    }

    private static ProxyConfiguration none() {
        return ProxyConfiguration.builder()
                .useSystemPropertyValues(false)
                .useEnvironmentVariablesValues(false)
                .build();
    }

    private static boolean isLoopback(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.equals("localhost") || lower.equals("[::1]") || lower.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }
}
