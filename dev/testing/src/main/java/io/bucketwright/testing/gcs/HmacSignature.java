package io.bucketwright.testing.gcs;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies signatures of version 4 with HMAC keys, as clients of S3 send them. */
final class HmacSignature {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final Pattern HEADER = Pattern.compile(ALGORITHM
            + " Credential=([A-Z0-9]+)/((\\d{8})/([A-Za-z0-9-]+)/s3/aws4_request), ?SignedHeaders=([a-z0-9;-]+),"
            + " ?Signature=([0-9a-f]{64})");

    private final GcsState state;

    HmacSignature(GcsState state) {
        this.state = state;
    }

    /** The account whose active key signed the request. */
    GcsAccount verify(GcsRequest request) {
        Matcher header = HEADER.matcher(request.header("Authorization"));
        if (!header.matches()) {
            throw new GcsProblem(403, "AccessDenied", "Access denied.");
        }
        String id = header.group(1);
        GcsAccount account = state.accounts.values().stream()
                .filter(candidate -> candidate.hmacKeys.containsKey(id))
                .findFirst()
                .orElseThrow(HmacSignature::unknownKey);
        GcsAccount.HmacKey key = Optional.ofNullable(account.hmacKeys.get(id)).orElseThrow();
        if (!key.state.equals("ACTIVE") || account.disabled) {
            throw unknownKey();
        }
        String payload = request.header("x-amz-content-sha256");
        boolean intact = payload.equals("UNSIGNED-PAYLOAD") || payload.equals(hash(request.bytes()));
        String toSign = ALGORITHM + "\n" + request.header("x-amz-date") + "\n" + header.group(2) + "\n"
                + hash(canonical(request, header.group(5)).getBytes(StandardCharsets.UTF_8));
        byte[] signing = ("AWS4" + key.secret).getBytes(StandardCharsets.UTF_8);
        for (String part : List.of(header.group(3), header.group(4), "s3", "aws4_request")) {
            signing = hmac(signing, part);
        }
        if (!intact || !HexFormat.of().formatHex(hmac(signing, toSign)).equals(header.group(6))) {
            throw new GcsProblem(403, "SignatureDoesNotMatch", "Access denied.");
        }
        return account;
    }

    private static GcsProblem unknownKey() {
        return new GcsProblem(
                403, "InvalidAccessKeyId", "The Access Key Id you provided does not exist in our records.");
    }

    private static String canonical(GcsRequest request, String signedHeaders) {
        String query = request.query().entrySet().stream()
                .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
                .sorted()
                .collect(Collectors.joining("&"));
        String headers = List.of(signedHeaders.split(";", -1)).stream()
                .map(name -> name + ":" + request.header(name).strip() + "\n")
                .collect(Collectors.joining());
        return request.method() + "\n" + request.rawPath() + "\n" + query + "\n" + headers + "\n" + signedHeaders + "\n"
                + request.header("x-amz-content-sha256");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private static String hash(byte[] data) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
