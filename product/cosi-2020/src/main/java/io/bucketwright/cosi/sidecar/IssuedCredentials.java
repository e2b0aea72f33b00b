package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.driver.ApplicationKeys;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
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
 * @param ids by which the driver finds the bucket and the account
 * @param overlap how long after the write of the Secret the other account is revoked; empty if {@code previousValidUntil}
 *     says it, or it has no credentials
 * @param previousValidUntil when the other account is revoked, if a former Secret contained that time; empty otherwise
 */
record IssuedCredentials(
        Map<String, SecretValue> values,
        String rotatedAt,
        String account,
        DriverIds ids,
        Optional<Duration> overlap,
        String previousValidUntil) {

    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    /** The size limit of a Secret, less room for its metadata. */
    private static final int MAX_BYTES = 900_000;

    IssuedCredentials {
        values = Map.copyOf(values);
    }

    /**
     * Checks the answer of the driver.
     *
     * @param required whether it must contain credentials; an account that the store knows by its service account needs none
     */
    static DriverAnswer<IssuedCredentials> of(
            GrantedAccess granted, BackendBucket bucket, boolean required, SidecarAccessStep.Grant grant) {
        Map<String, SecretValue> values =
                ApplicationKeys.of(granted.credentials(), granted.bucketNameOr(bucket.name()));
        int size = 0;
        for (Map.Entry<String, SecretValue> entry : values.entrySet()) {
            if (!isValid(entry.getKey())) {
                return invalid("credentials under the key " + SafeText.quoted(entry.getKey())
                        + ", which is not a valid key of a Secret");
            }
            size += entry.getKey().length() + entry.getValue().reveal().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_BYTES) {
            return invalid(size + " bytes of credentials; a Secret can contain " + MAX_BYTES);
        }
        DriverIds ids = new DriverIds(
                bucket.id().equals(bucket.name()) ? "" : bucket.id(),
                granted.accountId().equals(grant.account()) ? "" : granted.accountId(),
                "");
        return values.isEmpty() && required
                ? invalid("no credentials in generic_credentials")
                : new DriverAnswer.Done<>(
                        new IssuedCredentials(values, grant.rotateAt(), grant.account(), ids, grant.overlap(), ""));
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
