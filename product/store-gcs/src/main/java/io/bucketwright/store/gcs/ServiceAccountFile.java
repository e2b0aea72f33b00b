package io.bucketwright.store.gcs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;

/** The key of a service account, as the file that Google Cloud issues. Its text contains no secret. */
final class ServiceAccountFile {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String SCOPE = "https://www.googleapis.com/auth/cloud-platform";
    private static final long LIFETIME_SECONDS = 3600;

    private final String email;
    private final String keyId;
    private final String project;
    private final String tokenUri;
    private final PrivateKey key;

    private ServiceAccountFile(JsonNode json) {
        this.email = text(json, "client_email");
        this.keyId = json.path("private_key_id").asText("");
        this.project = json.path("project_id").asText("");
        this.tokenUri = json.path("token_uri").asText("https://oauth2.googleapis.com/token");
        this.key = privateKey(text(json, "private_key"));
    }

    /**
     * Parses a key file. No exception has a cause: a parser quotes what it reads.
     *
     * @throws Denied if it is not the key of a service account
     */
    static ServiceAccountFile parse(SecretValue file) {
        JsonNode json;
        try {
            json = JSON.readTree(file.reveal());
        } catch (JsonProcessingException e) {
            throw malformed("is not JSON");
        }
        if (!json.path("type").asText("").equals("service_account")) {
            throw malformed("does not have the type service_account");
        }
        return new ServiceAccountFile(json);
    }

    String email() {
        return email;
    }

    /** Empty if the file does not name it. */
    String project() {
        return project;
    }

    URI tokenUri() {
        try {
            return new URI(tokenUri);
        } catch (URISyntaxException e) {
            throw malformed("has an invalid token_uri");
        }
    }

    /** A signed assertion that a token endpoint exchanges for an access token (RFC 7523). */
    String assertion(Instant now) {
        String header = JSON.createObjectNode()
                .put("alg", "RS256")
                .put("typ", "JWT")
                .put("kid", keyId)
                .toString();
        String claims = JSON.createObjectNode()
                .put("iss", email)
                .put("scope", SCOPE)
                .put("aud", tokenUri)
                .put("iat", now.getEpochSecond())
                .put("exp", now.getEpochSecond() + LIFETIME_SECONDS)
                .toString();
        String signed =
                encode(header.getBytes(StandardCharsets.UTF_8)) + "." + encode(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw malformed("has a private_key that cannot sign");
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String text(JsonNode json, String field) {
        String text = json.path(field).asText("");
        if (text.isEmpty()) {
            throw malformed("has no " + field);
        }
        return text;
    }

    private static PrivateKey privateKey(String pem) {
        String base64 = pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "").replaceAll("\\s", "");
        try {
            return KeyFactory.getInstance("RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw malformed("has a private_key that is not an RSA key in PEM format");
        }
    }

    private static Denied malformed(String problem) {
        return new Denied("The service account key in the administrator's Secret " + problem
                + ". Create a key of type JSON in Google Cloud and put the whole file into the Secret.");
    }
}
