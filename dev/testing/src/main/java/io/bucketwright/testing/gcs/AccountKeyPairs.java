package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Issues keys of service accounts. RSA keys are expensive, so a few pairs of this JVM are used again under new ids. */
final class AccountKeyPairs {

    private static final int PAIRS = 3;
    private static final int BITS = 2048;
    /** Generated before the server starts: on a busy machine that takes longer than clients wait for a response. */
    private static final List<KeyPair> SHARED =
            Stream.generate(AccountKeyPairs::generate).limit(PAIRS).toList();

    private final String tokenUri;
    private final AtomicInteger next = new AtomicInteger();

    AccountKeyPairs(String tokenUri) {
        this.tokenUri = tokenUri;
    }

    /** Adds a key to the account, and returns its credentials file. */
    String issue(GcsState state, GcsAccount account) {
        KeyPair pair = nextPair();
        String id = state.randomText(20).replaceAll("[^A-Za-z0-9]", "0");
        account.keys.put(id, pair.getPublic());
        String pem = "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "service_account")
                .put("project_id", state.project)
                .put("private_key_id", id)
                .put("private_key", pem)
                .put("client_email", account.email)
                .put("client_id", account.uniqueId)
                .put("token_uri", tokenUri)
                .toString();
    }

    private KeyPair nextPair() {
        return SHARED.get(next.getAndIncrement() % SHARED.size());
    }

    private static KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(BITS);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
