package io.bucketwright.store.connection;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * The address of a store.
 *
 * @param secure whether the protocol is https
 * @param host a host name or an IP address; an IPv6 address is in brackets
 * @param port 1 to 65535
 */
public record Endpoint(boolean secure, String host, int port) {

    private static final int HTTPS = 443;
    private static final int HTTP = 80;
    private static final int HIGHEST_PORT = 65_535;

    /**
     * Checks the value.
     *
     * @throws Invalid if the host or the port is not valid
     */
    public Endpoint {
        if (host.isBlank() || host.chars().anyMatch(c -> c <= ' ' || c == '/' || c == '@' || c == '?' || c == '#')) {
            throw new Invalid("host " + InputText.quote(host) + " must be a host name or an IP address");
        }
        if (port < 1 || port > HIGHEST_PORT) {
            throw new Invalid("port " + port + " must be 1 to 65535");
        }
    }

    /**
     * Parses {@code https://host[:port]}.
     *
     * @throws Invalid if it is not an http or https URL, or contains more than host and port
     */
    public static Endpoint parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw invalid(url);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        String host = uri.getHost();
        String path = uri.getPath();
        boolean bare = (path == null || path.isEmpty() || path.equals("/"))
                && uri.getQuery() == null
                && uri.getFragment() == null
                && uri.getUserInfo() == null;
        if (!(scheme.equals("https") || scheme.equals("http")) || host == null || !bare) {
            throw invalid(url);
        }
        boolean secure = scheme.equals("https");
        int port = uri.getPort() != -1 ? uri.getPort() : secure ? HTTPS : HTTP;
        return new Endpoint(secure, host, port);
    }

    /** The URL, without the port if it is the default port. */
    public URI uri() {
        boolean defaultPort = port == (secure ? HTTPS : HTTP);
        return URI.create((secure ? "https://" : "http://") + host + (defaultPort ? "" : ":" + port));
    }

    @Override
    public String toString() {
        return uri().toString();
    }

    private static Invalid invalid(String url) {
        // A URL can contain a password before its host, so it is not shown.
        String shown = url.indexOf('@') >= 0 ? "" : InputText.quote(url) + " ";
        return new Invalid(
                "endpoint " + shown + "must be http:// or https:// with a host, optionally a port, and nothing else");
    }
}
