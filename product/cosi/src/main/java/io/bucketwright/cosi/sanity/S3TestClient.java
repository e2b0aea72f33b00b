package io.bucketwright.cosi.sanity;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * An application that uses its bucket with signed S3 requests.
 *
 * @param key empty for anonymous requests
 */
record S3TestClient(HttpClient http, URI bucket, String region, Optional<Key> key) implements StoreTestClient {

    private static final int FORBIDDEN = 403;
    private static final String MAC = "HmacSHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Prints only the id. */
    record Key(String id, String secret) {
        @Override
        public String toString() {
            return id;
        }
    }

    /**
     * A client for the bucket that the credentials name.
     *
     * @throws CheckFailed if they lack a value that an application needs
     */
    static S3TestClient of(HttpClient http, GrantedCredentials granted) {
        Key key = new Key(
                StoreTestClient.text(granted, "AWS_ACCESS_KEY_ID"),
                StoreTestClient.text(granted, "AWS_SECRET_ACCESS_KEY"));
        URI endpoint = URI.create(StoreTestClient.text(granted, "BUCKET_ENDPOINT"));
        return new S3TestClient(
                http,
                endpoint.resolve("/" + StoreTestClient.text(granted, "BUCKET_NAME")),
                granted.value("AWS_REGION")
                        .or(() -> granted.value("BUCKET_REGION").filter(region -> !region.isEmpty()))
                        .orElse("us-east-1"),
                Optional.of(key));
    }

    @Override
    public S3TestClient at(String otherBucket) {
        return new S3TestClient(http, bucket.resolve("/" + otherBucket), region, key);
    }

    @Override
    public S3TestClient anonymous() {
        return new S3TestClient(http, bucket, region, Optional.empty());
    }

    @Override
    public boolean isForbidden(int status) {
        return status == FORBIDDEN;
    }

    @Override
    public int send(String method, String object, String content) {
        URI uri = URI.create(bucket + "/" + object);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .version(HttpClient.Version.HTTP_1_1)
                .method(method, content.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(content));
        key.ifPresent(known -> sign(request, known, method, uri, content));
        return StoreTestClient.status(http, request.build(), bucket.toString());
    }

    /** Signature version 4, over the three headers that every request has. */
    private void sign(HttpRequest.Builder request, Key known, String method, URI uri, String content) {
        String time = TIME.format(Instant.now());
        String day = time.substring(0, 8);
        String digest = hash(content);
        String signed = "host;x-amz-content-sha256;x-amz-date";
        String canonical = String.join(
                "\n",
                method,
                uri.getRawPath(),
                "",
                "host:" + uri.getAuthority(),
                "x-amz-content-sha256:" + digest,
                "x-amz-date:" + time,
                "",
                signed,
                digest);
        String scope = day + "/" + region + "/s3/aws4_request";
        String toSign = String.join("\n", "AWS4-HMAC-SHA256", time, scope, hash(canonical));
        byte[] derived = ("AWS4" + known.secret()).getBytes(StandardCharsets.UTF_8);
        for (String part : new String[] {day, region, "s3", "aws4_request"}) {
            derived = mac(derived, part);
        }
        Map.of(
                        "x-amz-date", time,
                        "x-amz-content-sha256", digest,
                        "Authorization",
                                "AWS4-HMAC-SHA256 Credential=" + known.id() + "/" + scope + ", SignedHeaders=" + signed
                                        + ", Signature=" + HexFormat.of().formatHex(mac(derived, toSign)))
                .forEach(request::header);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + MAC, e);
        }
    }
}
