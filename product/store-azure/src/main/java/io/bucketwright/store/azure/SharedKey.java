package io.bucketwright.store.azure;

import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The key of a storage account. Signs the administrator's requests and the tokens of applications. */
final class SharedKey {

    /** The version of the REST API, of its signatures and of tokens. */
    static final String VERSION = "2021-12-02";

    /** The header of the only condition that requests have. */
    static final String UNMODIFIED_SINCE = "if-unmodified-since";

    private static final String ALGORITHM = "HmacSHA256";

    /**
     * The order in which Azure signs headers. It compares names as .NET does: an underscore, which names of metadata have, is
     * before digits and letters, although its code is behind those of digits. A slash is there, and no name has one.
     */
    private static final Comparator<String> HEADER_ORDER = Comparator.comparing(name -> name.replace('_', '/'));

    private final String account;
    private final SecretKeySpec key;

    /**
     * Decodes the key.
     *
     * @throws Denied if it is not a key
     */
    SharedKey(String account, SecretValue key) {
        this.account = account;
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(key.reveal().strip());
        } catch (IllegalArgumentException e) {
            // Without the cause, which quotes a character of the key.
            throw malformed();
        }
        if (decoded.length == 0) {
            throw malformed();
        }
        this.key = new SecretKeySpec(decoded, ALGORITHM);
    }

    private static Denied malformed() {
        return new Denied(
                "The account key in the administrator's Secret is not valid base64: copy one of the two access"
                        + " keys of the storage account.");
    }

    /**
     * The header Authorization of a request.
     *
     * @param path the path of the request as it is sent
     * @param query the parameters of the request, not encoded
     * @param headers all headers that start with x-ms-, and {@link #UNMODIFIED_SINCE}, in lower case
     * @param length the length of the body
     * @param contentType empty if there is none
     */
    String authorization(
            String method,
            String path,
            SortedMap<String, String> query,
            Map<String, String> headers,
            int length,
            String contentType) {
        StringBuilder text = new StringBuilder(method)
                .append("\n\n\n")
                .append(length == 0 ? "" : Integer.toString(length))
                .append("\n\n")
                .append(contentType)
                // No Date, because x-ms-date is set, one condition and no range.
                .append("\n\n\n\n\n")
                .append(headers.getOrDefault(UNMODIFIED_SINCE, ""))
                .append("\n\n");
        SortedMap<String, String> ordered = new TreeMap<>(HEADER_ORDER);
        ordered.putAll(headers);
        ordered.remove(UNMODIFIED_SINCE);
        ordered.forEach(
                (name, value) -> text.append(name).append(':').append(value).append('\n'));
        text.append('/').append(account).append(path);
        query.forEach(
                (name, value) -> text.append('\n').append(name).append(':').append(value));
        return "SharedKey " + account + ":" + sign(text.toString());
    }

    /**
     * A service SAS for a container. Its permissions and its expiry are those of a stored access policy, so that a change of
     * the policy changes the token.
     *
     * @param policy the id of the stored access policy
     * @param httpsOnly whether the token is valid only for requests with TLS
     */
    SecretValue containerToken(String container, String policy, boolean httpsOnly) {
        String protocol = httpsOnly ? "https" : "";
        // Sixteen fields; permissions, times, IP addresses, snapshot, scope and response headers are empty.
        String text = String.join(
                "\n",
                "",
                "",
                "",
                "/blob/" + account + "/" + container,
                policy,
                "",
                protocol,
                VERSION,
                "c",
                "",
                "",
                "",
                "",
                "",
                "",
                "");
        StringJoiner token = new StringJoiner("&").add("sv=" + VERSION).add("sr=c");
        if (httpsOnly) {
            token.add("spr=https");
        }
        token.add("si=" + URLEncoder.encode(policy, StandardCharsets.UTF_8))
                .add("sig=" + URLEncoder.encode(sign(text), StandardCharsets.UTF_8));
        return SecretValue.of(token.toString());
    }

    private String sign(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
        }
    }
}
