package io.bucketwright.store.s3.client;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.LoopbackServer;
import io.bucketwright.store.s3.S3StoreFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S3, STS, the agent of EKS Pod Identity and the metadata service of a machine in one server. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
final class AdministratorAccessTest {

    private static final String EMPTY = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
    private static final String ROLE = "arn:aws:iam::123456789012:role/bucketwright";

    private final List<String> requests = new ArrayList<>();
    private final Map<String, String> properties = new HashMap<>();
    private final LoopbackServer server = new LoopbackServer(this::respond);
    private int stsStatus = 200;

    AdministratorAccessTest() {
        set("aws.disableEc2Metadata", "true");
        set("aws.region", "eu-central-1");
    }

    @AfterEach
    void stop() {
        server.close();
        properties.forEach((name, before) -> {
            if (before.isEmpty()) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, before);
            }
        });
    }

    @Test
    void theTokenOfAServiceAccountIsExchangedForTheCredentialsOfItsRole(@TempDir Path dir) throws IOException {
        Path token = Files.writeString(dir.resolve("token"), "token-of-the-service-account");
        set("aws.webIdentityTokenFile", token.toString());
        set("aws.roleArn", ROLE);
        set("aws.endpointUrlSts", server.url());
        assertThat(usedKey(Map.of("credentials", "ambient"))).isEqualTo("AKIDWEB");
        assertThat(requests).first().asString().contains("AssumeRoleWithWebIdentity", "token-of-the-service-account");
    }

    @Test
    void eksPodIdentityGivesCredentials(@TempDir Path dir) throws IOException {
        Path token = Files.writeString(dir.resolve("token"), "token-of-the-pod");
        set("aws.containerCredentialsFullUri", server.url() + "/pod-identity");
        set("aws.containerAuthorizationTokenFile", token.toString());
        assertThat(usedKey(Map.of("credentials", "ambient"))).isEqualTo("AKIDPOD");
    }

    @Test
    void theInstanceRoleOfAMachineGivesCredentials() {
        set("aws.disableEc2Metadata", "false");
        set("aws.ec2MetadataServiceEndpoint", server.url());
        assertThat(usedKey(Map.of("credentials", "ambient"))).isEqualTo("AKIDINSTANCE");
    }

    @Test
    void withoutAnyIdentityTheMessageSaysWhatToDo() {
        assertThatThrownBy(() -> usedKey(Map.of("credentials", "ambient")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("has no AWS identity")
                .hasMessageContaining("credentials");
    }

    @Test
    void aRoleIsAssumedWithItsExternalId() {
        Map<String, String> parameters = Map.of("assumeRole", ROLE, "externalId", "cluster-7");
        assertThat(usedKey(parameters, LoopbackServer.administrator())).isEqualTo("AKIDROLE");
        assertThat(requests)
                .first()
                .asString()
                .contains("Action=AssumeRole&", "ExternalId=cluster-7", "role%2Fbucketwright", "Credential=id/");
    }

    @Test
    void aRoleThatMayNotBeAssumedIsNamed() {
        stsStatus = 403;
        assertThatThrownBy(() -> usedKey(Map.of("assumeRole", ROLE), LoopbackServer.administrator()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Could not assume the role " + ROLE)
                .hasMessageContaining("assumeRole")
                .hasMessageContaining("AccessDenied");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void aBusySecurityTokenServiceIsUnavailable(int status) {
        stsStatus = status;
        assertThatThrownBy(() -> usedKey(Map.of("assumeRole", ROLE), LoopbackServer.administrator()))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("Could not assume the role " + ROLE)
                .hasMessageContaining(Integer.toString(status));
    }

    @Test
    void aSecurityTokenServiceThatHangsIsUnavailableAtTheDeadlineOfTheCall() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String sts = "http://127.0.0.1:" + silent.getLocalPort();
            try (CompleteStore store =
                    server.open(Map.of("assumeRole", ROLE, "stsEndpoint", sts, "readTimeout", "60s"))) {
                long start = System.nanoTime();
                assertThatThrownBy(
                                () -> store.usage(StoreCall.within(Duration.ofMillis(300)), new BucketName("photos")))
                        .isInstanceOf(Unavailable.class)
                        .hasMessageContaining("AWS STS does not respond");
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            }
        }
    }

    @Test
    void aSecretIsNotIgnored() {
        assertThatThrownBy(() -> usedKey(Map.of("credentials", "ambient"), LoopbackServer.administrator()))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("parameter credentials");
        assertThatThrownBy(() -> usedKey(Map.of("externalId", "cluster-7"), LoopbackServer.administrator()))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("parameter externalId");
    }

    @Test
    void temporaryCredentialsInASecretHaveASessionToken() {
        Map<String, SecretValue> data =
                new HashMap<>(LoopbackServer.administrator().data());
        data.put("AWS_SESSION_TOKEN", SecretValue.of("session"));
        assertThat(usedKey(Map.of(), new AdministratorSecret(data))).isEqualTo("id");
        assertThat(requests).last().asString().contains("token=session");
    }

    private String usedKey(Map<String, String> more) {
        return usedKey(more, AdministratorSecret.none());
    }

    /** The access key that signs requests to S3. */
    private String usedKey(Map<String, String> more, AdministratorSecret secret) {
        Map<String, String> parameters = new HashMap<>(Map.of("endpoint", server.url(), "region", "eu-central-1"));
        parameters.putAll(more);
        S3StoreFactory factory = new S3StoreFactory();
        try (CompleteStore store = factory.open(factory.parameters().parse(parameters), secret)) {
            assertThat(store.usage(call(), new BucketName("photos")).objects()).isZero();
        }
        String last = requests.getLast();
        return last.substring(last.indexOf("Credential=") + 11, last.indexOf('/', last.indexOf("Credential=")));
    }

    private void set(String name, String value) {
        properties.putIfAbsent(name, System.getProperty(name, ""));
        System.setProperty(name, value);
    }

    private void respond(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        String token = exchange.getRequestHeaders().getFirst("X-Amz-Security-Token");
        requests.add(exchange.getRequestMethod() + " " + path + " " + body + " " + authorization + " token=" + token);
        int status = body.contains("AssumeRole") ? stsStatus : 200;
        LoopbackServer.respond(
                exchange,
                status,
                status == 200
                        ? content(path, body, String.valueOf(authorization))
                        : "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>");
    }

    private static String content(String path, String body, String authorization) {
        if (body.contains("Action=AssumeRoleWithWebIdentity")) {
            return role("AssumeRoleWithWebIdentity", "AKIDWEB");
        }
        if (body.contains("Action=AssumeRole")) {
            return role("AssumeRole", "AKIDROLE");
        }
        return switch (path) {
            case "/pod-identity" -> authorization.equals("token-of-the-pod") ? json("AKIDPOD") : "{}";
            case "/latest/api/token" -> "imds-token";
            case "/latest/meta-data/iam/security-credentials/",
                    "/latest/meta-data/iam/security-credentials-extended/" -> "node-role";
            case "/latest/meta-data/iam/security-credentials/node-role",
                    "/latest/meta-data/iam/security-credentials-extended/node-role" -> json("AKIDINSTANCE");
            default -> EMPTY;
        };
    }

    private static String json(String key) {
        return "{\"Code\":\"Success\",\"AccessKeyId\":\"%s\",\"SecretAccessKey\":\"s\",\"Token\":\"t\",\"Expiration\":\"%s\"}"
                .formatted(key, inAnHour());
    }

    private static String role(String action, String key) {
        return "<%1$sResponse><%1$sResult><Credentials><AccessKeyId>%2$s</AccessKeyId><SecretAccessKey>s</SecretAccessKey>"
                        .formatted(action, key)
                + "<SessionToken>t</SessionToken><Expiration>%2$s</Expiration></Credentials></%1$sResult></%1$sResponse>"
                        .formatted(action, inAnHour());
    }

    private static Instant inAnHour() {
        return Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    }
}
