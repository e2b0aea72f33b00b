package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Access tokens: the OAuth token endpoint for signed assertions, and the metadata server. */
final class TokenApi {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    /** The token endpoint of Google, which its SDK names wherever the endpoint is. */
    private static final String AUDIENCE = "https://oauth2.googleapis.com/token";

    /** The first one is for all APIs of Google Cloud; the SDK for Cloud Storage requests the others. */
    private static final Set<String> SCOPES = Set.of(
            "https://www.googleapis.com/auth/cloud-platform",
            "https://www.googleapis.com/auth/devstorage.full_control",
            "https://www.googleapis.com/auth/devstorage.read_only",
            "https://www.googleapis.com/auth/devstorage.read_write");

    private static final long LIFETIME = 3599;
    private static final long LONGEST_ASSERTION = 3600;

    private final GcsState state;
    private final String tokenUri;

    TokenApi(GcsState state, String tokenUri) {
        this.state = state;
        this.tokenUri = tokenUri;
    }

    GcsResponse exchange(GcsRequest request) {
        Map<String, String> form = new HashMap<>();
        for (String pair : request.body().split("&", -1)) {
            int equals = Math.max(0, pair.indexOf('='));
            form.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        Optional<GcsAccount> account = request.method().equals("POST")
                        && request.header("Content-Type").equals("application/x-www-form-urlencoded")
                        && form.getOrDefault("grant_type", "").equals(GRANT)
                ? verify(form.getOrDefault("assertion", ""))
                : Optional.empty();
        return account.map(this::token)
                .orElseGet(() -> GcsResponse.json(JsonNodeFactory.instance
                                .objectNode()
                                .put("error", "invalid_grant")
                                .put("error_description", "Invalid JWT Signature."))
                        .withStatus(400));
    }

    /** The identity of the pod is the administrator. */
    GcsResponse metadata(GcsRequest request) {
        if (!request.header("Metadata-Flavor").equals("Google")
                || !request.rawPath().equals("/computeMetadata/v1/instance/service-accounts/default/token")) {
            return GcsResponse.of(403, "text/html", "Forbidden", Map.of());
        }
        return token(
                Optional.ofNullable(state.accounts.get(state.administrator)).orElseThrow());
    }

    private GcsResponse token(GcsAccount account) {
        return GcsResponse.json(JsonNodeFactory.instance
                .objectNode()
                .put("access_token", state.newToken(account.email, LIFETIME))
                .put("expires_in", LIFETIME)
                .put("token_type", "Bearer"));
    }

    private Optional<GcsAccount> verify(String assertion) {
        String[] parts = assertion.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            JsonNode header = JSON.readTree(decode(parts[0]));
            JsonNode claims = JSON.readTree(decode(parts[1]));
            @Nullable GcsAccount account = state.accounts.get(claims.path("iss").asText(""));
            @Nullable
            PublicKey key =
                    account == null ? null : account.keys.get(header.path("kid").asText(""));
            if (account == null
                    || key == null
                    || account.disabled
                    || !header.path("alg").asText("").equals("RS256")
                    || !isValid(claims)) {
                return Optional.empty();
            }
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(key);
            signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
            return signature.verify(Base64.getUrlDecoder().decode(parts[2])) ? Optional.of(account) : Optional.empty();
        } catch (JsonProcessingException | GeneralSecurityException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private boolean isValid(JsonNode claims) {
        long now = Instant.now().getEpochSecond();
        long issued = claims.path("iat").asLong(0);
        long expires = claims.path("exp").asLong(0);
        return Set.of(tokenUri, AUDIENCE).contains(claims.path("aud").asText(""))
                && SCOPES.containsAll(List.of(claims.path("scope").asText("").split(" ", -1)))
                && issued <= now + 60
                && expires > now
                && expires - issued <= LONGEST_ASSERTION;
    }

    private static String decode(String part) {
        return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
    }
}
