package io.bucketwright.runtime.connection;

import java.net.URI;
import java.util.Locale;

/**
 * Where a connection leads to.
 *
 * @param secure whether TLS is used
 * @param host without the brackets of an IPv6 address
 */
record ServerAddress(boolean secure, String host, int port) {

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    static ServerAddress of(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        String host = uri.getHost();
        if (host == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw new IllegalArgumentException("Not an address of an HTTP server: " + uri
                    + "; the server in the kubeconfig must be https://HOST:PORT or http://HOST:PORT");
        }
        boolean secure = scheme.equals("https");
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? HTTPS : HTTP;
        return new ServerAddress(secure, host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
    }

    /** As {@code equals}, which is slow for a record without the C2 compiler. */
    boolean isSame(ServerAddress other) {
        return port == other.port && secure == other.secure && host.equals(other.host);
    }

    /** Host and port as in the {@code Host} header. */
    String authority() {
        return port == (secure ? HTTPS : HTTP) ? bracketed() : hostAndPort();
    }

    /** Host and port as in a {@code CONNECT} request. */
    String hostAndPort() {
        return bracketed() + ":" + port;
    }

    private String bracketed() {
        return host.contains(":") ? "[" + host + "]" : host;
    }
}
