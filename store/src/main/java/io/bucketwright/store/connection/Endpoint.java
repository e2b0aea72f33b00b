package io.bucketwright.store.connection;

import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Where a store answers.
 *
 * @param secure whether by https
 * @param host a name or an address, an IPv6 address in brackets
 * @param port 1 to 65535
 */
public record Endpoint(boolean secure, String host, int port) {

    private static final int HTTPS = 443;
    private static final int HTTP = 80;
    private static final int HIGHEST_PORT = 65_535;

    /**
     * Checks the value.
     *
     * @throws Invalid if host or port cannot be one
     */
    public Endpoint {
        if (host.isBlank() || host.chars().anyMatch(c -> c <= ' ' || c == '/' || c == '@' || c == '?' || c == '#')) {
            throw new Invalid("host " + InputText.quote(host) + " must be a name or an address");
        }
        if (port < 1 || port > HIGHEST_PORT) {
            throw new Invalid("port " + port + " must be 1 to 65535");
        }
    }

    /**
     * Reads {@code https://host[:port]}.
     *
     * @throws Invalid if it is not an http or https URL, or has more than host and port
     */
    public static Endpoint parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw refused(url);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        String host = uri.getHost();
        String path = uri.getPath();
        boolean bare = (path == null || path.isEmpty() || path.equals("/"))
                && uri.getQuery() == null
                && uri.getFragment() == null
                && uri.getUserInfo() == null;
        if (!(scheme.equals("https") || scheme.equals("http")) || host == null || !bare) {
            throw refused(url);
        }
        boolean secure = scheme.equals("https");
        int port = uri.getPort() != -1 ? uri.getPort() : secure ? HTTPS : HTTP;
        return new Endpoint(secure, host, port);
    }

    /** As a URL; the port is left out where it goes without saying. */
    public URI uri() {
        boolean usual = port == (secure ? HTTPS : HTTP);
        return URI.create((secure ? "https://" : "http://") + host + (usual ? "" : ":" + port));
    }

    @Override
    public String toString() {
        return uri().toString();
    }

    private static Invalid refused(String url) {
        // A URL may carry a password before its host: that much is not shown.
        String shown = url.indexOf('@') >= 0 ? "" : InputText.quote(url) + " ";
        return new Invalid(
                "endpoint " + shown + "must be http:// or https:// with a host, perhaps a port, and nothing else");
    }
}
