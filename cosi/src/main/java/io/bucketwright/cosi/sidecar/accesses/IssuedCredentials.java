package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.ProviderCredentials;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.connection.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Credentials that the driver issued and that belong into the Secret.
 *
 * @param rotatedAt the requested rotation that they fulfil, empty if none was requested
 * @param account that they belong to
 * @param overlap how long after the write of the Secret the other account is revoked; empty if {@code previousValidUntil}
 *     says it, or it has no credentials
 * @param previousValidUntil when the other account is revoked, if a former Secret contained that time; empty otherwise
 */
public record IssuedCredentials(
        Map<String, SecretValue> values,
        String rotatedAt,
        String account,
        Optional<Duration> overlap,
        String previousValidUntil) {

    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    /** The size limit of a Secret, less room for its metadata. */
    private static final int MAX_BYTES = 900_000;

    public IssuedCredentials {
        values = Map.copyOf(values);
    }

    /**
     * Reads the response of the driver.
     *
     * @param required whether it must contain credentials; an account that the store knows by its service account needs none
     */
    static DriverAnswer<IssuedCredentials> read(
            GrantBucketAccessResponse response, boolean required, SidecarAccessStep.Grant grant) {
        Map<String, SecretValue> values = new HashMap<>();
        int size = 0;
        for (ProviderCredentials credentials : response.getCredsList()) {
            for (Map.Entry<String, String> entry :
                    credentials.getGenericCredentials().getCredentialsMap().entrySet()) {
                String key = entry.getKey();
                if (!isValid(key)) {
                    return invalid("credentials under the key " + SafeText.quoted(key)
                            + ", which is not a valid key of a Secret");
                }
                if (values.put(key, SecretValue.of(entry.getValue())) != null) {
                    return invalid("two values for the key " + SafeText.quoted(key));
                }
                size += key.length() + entry.getValue().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        if (size > MAX_BYTES) {
            return invalid(size + " bytes of credentials; a Secret can contain " + MAX_BYTES);
        }
        return values.isEmpty() && required
                ? invalid("no credentials in generic_credentials")
                : new DriverAnswer.Done<>(
                        new IssuedCredentials(values, grant.rotateAt(), grant.account(), grant.overlap(), ""));
    }

    /** The annotations of a Secret that is written now. */
    Map<String, String> annotations(Instant now) {
        Map<String, String> annotations = new HashMap<>();
        String until = overlap.map(length -> now.plus(length).toString()).orElse(previousValidUntil);
        if (!rotatedAt.isEmpty()) {
            annotations.put(CosiNames.ROTATED_AT, rotatedAt);
        }
        if (!rotatedAt.isEmpty() || !until.isEmpty()) {
            annotations.put(CosiNames.ACCOUNT, account);
        }
        if (!until.isEmpty()) {
            annotations.put(CosiNames.PREVIOUS_VALID_UNTIL, until);
        }
        return annotations;
    }

    private static boolean isValid(String key) {
        return KEY.matcher(key).matches() && !key.equals(".") && !key.startsWith("..");
    }

    private static DriverAnswer<IssuedCredentials> invalid(String what) {
        return DriverAnswer.invalidResponse(
                "The driver granted access and returned " + what + ". Fix the driver; the sidecar retries.");
    }
}
