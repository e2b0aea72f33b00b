package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import java.util.Map;
import java.util.Optional;

/** Credentials that a driver handed out. They are never shown. */
final class GrantedCredentials {

    private final Map<String, String> credentials;

    private GrantedCredentials(Map<String, String> credentials) {
        this.credentials = credentials;
    }

    /**
     * Reads an answer.
     *
     * @throws CheckFailed if it holds no credentials, or not where they belong
     */
    static GrantedCredentials of(GrantBucketAccessResponse response) {
        if (response.getCredsCount() != 1) {
            throw new CheckFailed(
                    "creds must hold the credentials of one account, and holds " + response.getCredsCount() + ".");
        }
        Map<String, String> credentials =
                response.getCreds(0).getGenericCredentials().getCredentialsMap();
        if (credentials.values().stream().allMatch(String::isEmpty)) {
            throw new CheckFailed("creds[0].generic_credentials holds nothing.");
        }
        return new GrantedCredentials(credentials);
    }

    Map<String, String> all() {
        return credentials;
    }

    Optional<String> value(String key) {
        return Optional.ofNullable(credentials.get(key)).filter(value -> !value.isEmpty());
    }

    /** Whether these open the same door as others. */
    boolean sameAs(GrantedCredentials other) {
        return credentials.equals(other.credentials);
    }
}
