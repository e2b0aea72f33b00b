package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.ProviderCredentials;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.connection.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a driver gave an account, if it can be kept in a Secret. */
sealed interface CredentialsReader {

    record Usable(Map<String, SecretValue> values) implements CredentialsReader {}

    record Rubbish(String message) implements CredentialsReader {}

    Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    /** What a Secret may hold, less room for its metadata. */
    int LARGEST = 900_000;

    /**
     * Reads the answer.
     *
     * @param needed whether there must be any: an account that the store knows by its service account needs none
     */
    static CredentialsReader of(GrantBucketAccessResponse response, boolean needed) {
        Map<String, SecretValue> values = new HashMap<>();
        int size = 0;
        for (ProviderCredentials credentials : response.getCredsList()) {
            for (Map.Entry<String, String> entry :
                    credentials.getGenericCredentials().getCredentialsMap().entrySet()) {
                Optional<String> wrong = wrongKey(entry.getKey());
                if (wrong.isPresent()) {
                    return new Rubbish(wrong.get());
                }
                if (values.put(entry.getKey(), SecretValue.of(entry.getValue())) != null) {
                    return new Rubbish("The driver gave two values for " + InputText.quote(entry.getKey())
                            + ". Mend the driver; it is asked again.");
                }
                size += entry.getKey().length() + entry.getValue().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        if (size > LARGEST) {
            return new Rubbish("The driver gave " + size + " bytes of credentials, and a Secret holds " + LARGEST
                    + ". Mend the driver; it is asked again.");
        }
        return values.isEmpty() && needed
                ? new Rubbish("The driver granted access and gave no credentials in generic_credentials."
                        + " Mend the driver; it is asked again.")
                : new Usable(Map.copyOf(values));
    }

    private static Optional<String> wrongKey(String key) {
        boolean path = key.equals(".") || key.startsWith("..");
        return KEY.matcher(key).matches() && !path
                ? Optional.empty()
                : Optional.of("The driver gave a credential under the key " + InputText.quote(key)
                        + ", which no Secret can have. Mend the driver; it is asked again.");
    }
}
