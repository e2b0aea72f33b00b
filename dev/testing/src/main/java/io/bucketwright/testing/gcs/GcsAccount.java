package io.bucketwright.testing.gcs;

import java.security.PublicKey;
import java.util.LinkedHashMap;
import java.util.Map;

/** A service account with its keys. */
final class GcsAccount {

    /** An HMAC key; a deleted one stays visible. */
    static final class HmacKey {
        final String secret;
        String state = "ACTIVE";

        HmacKey(String secret) {
            this.secret = secret;
        }
    }

    final String email;
    final String uniqueId;
    final String displayName;
    final String description;
    boolean disabled;

    /** How many requests of Cloud Storage still do not see this new account. */
    int invisibleFor;

    final Map<String, HmacKey> hmacKeys = new LinkedHashMap<>();
    final Map<String, PublicKey> keys = new LinkedHashMap<>();

    GcsAccount(String email, String uniqueId, String displayName, String description) {
        this.email = email;
        this.uniqueId = uniqueId;
        this.displayName = displayName;
        this.description = description;
    }

    /** Whether Cloud Storage sees this account, in this request. */
    boolean becomesVisible() {
        return invisibleFor-- <= 0;
    }
}
