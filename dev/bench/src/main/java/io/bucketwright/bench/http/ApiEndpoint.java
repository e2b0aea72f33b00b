package io.bucketwright.bench.http;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLSocketFactory;

/**
 * An API server and the credentials of one user.
 *
 * @param authorization value of the header, empty if the user has a client certificate
 */
public record ApiEndpoint(String host, int port, SSLSocketFactory sockets, String authorization) {

    /** The server and the user of a kubeconfig. */
    public static ApiEndpoint of(Path kubeconfig) {
        ApiServerOptions options = new ApiServerOptions();
        options.useKubeconfig(kubeconfig);
        Config config = options.config();
        URI server = URI.create(config.getMasterUrl());
        String token = config.getOauthToken();
        try {
            return new ApiEndpoint(
                    server.getHost(),
                    server.getPort(),
                    SSLUtils.sslContext(config).getSocketFactory(),
                    token == null || token.isEmpty() ? "" : "Bearer " + token);
        } catch (IOException | GeneralSecurityException e) {
            throw new CommandException("The credentials in " + kubeconfig + " cannot be used: " + e.getMessage(), e);
        }
    }

    Socket connect() throws IOException {
        Socket socket = sockets.createSocket(host, port);
        socket.setTcpNoDelay(true);
        return socket;
    }

    @Override
    public String toString() {
        return "https://" + host + ":" + port;
    }
}
