package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.SanityCheck.require;

import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import java.util.Map;
import java.util.Optional;

/** Credentials that a driver issued. They are never printed. */
final class GrantedCredentials {

    private final Map<String, String> credentials;

    private GrantedCredentials(Map<String, String> credentials) {
        this.credentials = credentials;
    }

    /**
     * The credentials in a response.
     *
     * @throws SanityCheck.CheckFailed if it contains none, or in another field
     */
    static GrantedCredentials of(GrantBucketAccessResponse response) {
        require(
                response.getCredsCount() == 1,
                "creds must contain the credentials of one account, not of " + response.getCredsCount() + ".");
        Map<String, String> credentials =
                response.getCreds(0).getGenericCredentials().getCredentialsMap();
        require(!credentials.values().stream().allMatch(String::isEmpty), "creds[0].generic_credentials is empty.");
        return new GrantedCredentials(credentials);
    }

    Map<String, String> all() {
        return credentials;
    }

    Optional<String> value(String key) {
        return Optional.ofNullable(credentials.get(key)).filter(value -> !value.isEmpty());
    }

    boolean sameAs(GrantedCredentials other) {
        return credentials.equals(other.credentials);
    }
}
