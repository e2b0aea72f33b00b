package io.bucketwright.local.pki;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A kubeconfig for one user of one cluster, with certificate and key inside, so that the file works wherever it is
 * copied on this machine.
 */
public record Kubeconfig(String server, String authorityPem, String user, Credential credential) {

    public String yaml() {
        return """
                apiVersion: v1
                kind: Config
                current-context: bucketwright-local
                clusters:
                - name: bucketwright-local
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: %s
                  user:
                    client-certificate-data: %s
                    client-key-data: %s
                contexts:
                - name: bucketwright-local
                  context:
                    cluster: bucketwright-local
                    user: %3$s
                """.formatted(
                        server,
                        base64(authorityPem),
                        quoted(user),
                        base64(credential.certificatePem()),
                        base64(credential.keyPem()));
    }

    @Override
    public String toString() {
        return "Kubeconfig[" + user + " at " + server + "]";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    // A YAML double-quoted scalar: user names such as system:node:x, or with quotes, stay one string.
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
