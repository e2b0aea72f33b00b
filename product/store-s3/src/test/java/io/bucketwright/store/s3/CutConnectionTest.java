package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.iam.IamClient;

/** A connection that is cut after the request has arrived: nothing below the controller may send the request again. */
final class CutConnectionTest {

    private static final String CREATED =
            "<CreateAccessKeyResponse xmlns=\"https://iam.amazonaws.com/doc/2010-05-08/\">"
                    + "<CreateAccessKeyResult><AccessKey><UserName>u</UserName><AccessKeyId>k</AccessKeyId>"
                    + "<Status>Active</Status><SecretAccessKey>s</SecretAccessKey></AccessKey></CreateAccessKeyResult>"
                    + "</CreateAccessKeyResponse>";

    private final ServerSocket server;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    CutConnectionTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void aKeyIsCreatedOnceAlthoughTheConnectionWasKeptAlive() {
        S3StoreFactory factory = new S3StoreFactory();
        S3Parameters parameters = S3Parameters.of(
                factory.parameters().parse(Map.of("endpoint", "http://127.0.0.1:" + server.getLocalPort())));
        AwsClients clients = new AwsClients(parameters, SecretValue.of("id"), SecretValue.of("secret"), List.of());
        try (IamClient iam = clients.iam()) {
            iam.createAccessKey(request -> request.userName("u"));
            assertThatThrownBy(() -> iam.createAccessKey(request -> request.userName("u")))
                    .isInstanceOf(SdkException.class);
        }
        assertThat(requests).hasSize(2);
    }

    private void accept() {
        while (!server.isClosed()) {
            try (Socket connection = server.accept()) {
                serve(connection);
            } catch (IOException e) {
                // The test has ended, or the client has closed the connection.
            }
        }
    }

    private void serve(Socket connection) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
        String line = in.readLine();
        while (line != null) {
            String request = line;
            int length = 0;
            while (line != null && !line.isEmpty()) {
                String lower = line.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Integer.parseInt(
                            lower.substring("content-length:".length()).strip());
                }
                line = in.readLine();
            }
            assertThat(in.skip(length)).isEqualTo(length);
            requests.add(request);
            if (requests.size() > 1) {
                return;
            }
            byte[] body = CREATED.getBytes(StandardCharsets.UTF_8);
            connection
                    .getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: " + body.length + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().write(body);
            connection.getOutputStream().flush();
            line = in.readLine();
        }
    }
}
