package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.CheckFailed.require;

import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import java.util.Map;
import java.util.Optional;

/** Credentials that a driver issued, under the keys of connection data. They are never printed. */
final class GrantedCredentials {

    private final DataProtocol protocol;
    private final Map<String, String> credentials;

    private GrantedCredentials(DataProtocol protocol, Map<String, String> credentials) {
        this.protocol = protocol;
        this.credentials = Map.copyOf(credentials);
    }

    static GrantedCredentials of(DataProtocol protocol, Map<String, String> credentials) {
        return new GrantedCredentials(protocol, credentials);
    }

    /**
     * The credentials in a response.
     *
     * @throws CheckFailed if it contains none, or in another field
     */
    static GrantedCredentials of(DataProtocol protocol, GrantBucketAccessResponse response) {
        require(
                response.getCredsCount() == 1,
                "creds must contain the credentials of one account, not of " + response.getCredsCount() + ".");
        Map<String, String> credentials =
                response.getCreds(0).getGenericCredentials().getCredentialsMap();
        require(!credentials.values().stream().allMatch(String::isEmpty), "creds[0].generic_credentials is empty.");
        return new GrantedCredentials(protocol, credentials);
    }

    /** The protocol of the store that they are for. */
    public DataProtocol protocol() {
        return protocol;
    }

    public Map<String, String> all() {
        return credentials;
    }

    public Optional<String> value(String key) {
        return Optional.ofNullable(credentials.get(key)).filter(value -> !value.isEmpty());
    }

    public boolean sameAs(GrantedCredentials other) {
        return credentials.equals(other.credentials);
    }
}
