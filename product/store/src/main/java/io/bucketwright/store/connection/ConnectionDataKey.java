package io.bucketwright.store.connection;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The keys that applications read, of all protocols that this project knows. A store can add others. */
public enum ConnectionDataKey {
    BUCKET_NAME,
    BUCKET_HOST,
    BUCKET_PORT,
    BUCKET_REGION,
    BUCKET_SUBREGION,
    BUCKET_SSL,
    BUCKET_ENDPOINT,
    /** Whether requests to an S3 store need the bucket in the path. SDKs do not read it; applications pass it to them. */
    BUCKET_PATH_STYLE,
    AWS_ENDPOINT_URL,
    /** For applications that use other services of AWS as well. */
    AWS_ENDPOINT_URL_S3,
    AWS_REGION,
    /** Read by the SDK for Python, which does not read AWS_REGION. */
    AWS_DEFAULT_REGION,
    /** Trusted certificates in PEM format. SDKs read them from a file, so the key has the name of one. */
    CA_BUNDLE("ca-bundle.crt"),
    ACCESS_KEY_ID,
    SECRET_ACCESS_KEY,
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    AZURE_STORAGE_ACCOUNT,
    AZURE_STORAGE_CONTAINER,
    AZURE_STORAGE_SERVICE_ENDPOINT,
    AZURE_STORAGE_SAS_TOKEN,
    AZURE_STORAGE_CONNECTION_STRING,
    GOOGLE_CLOUD_PROJECT,
    GOOGLE_SERVICE_ACCOUNT_JSON;

    private static final Set<ConnectionDataKey> SECRET = EnumSet.of(
            ACCESS_KEY_ID,
            SECRET_ACCESS_KEY,
            AWS_ACCESS_KEY_ID,
            AWS_SECRET_ACCESS_KEY,
            AZURE_STORAGE_SAS_TOKEN,
            AZURE_STORAGE_CONNECTION_STRING,
            GOOGLE_SERVICE_ACCOUNT_JSON);

    /** The syntax of keys of a ConfigMap or Secret. */
    private static final Pattern SYNTAX = Pattern.compile("[-._a-zA-Z0-9]+");

    private static final int MAX_LENGTH = 253;

    private final String key;

    ConnectionDataKey() {
        this.key = name();
    }

    ConnectionDataKey(String key) {
        this.key = key;
    }

    /** The key as it is in a ConfigMap or a Secret. */
    public String key() {
        return key;
    }

    static boolean isKnown(String key) {
        return Arrays.stream(values()).anyMatch(known -> known.key.equals(key));
    }

    /** Whether it is a key of the Secret; all others are keys of the ConfigMap. */
    static boolean isSecret(String key) {
        return SECRET.stream().anyMatch(known -> known.key.equals(key));
    }

    static List<String> names() {
        return Arrays.stream(values()).map(ConnectionDataKey::key).toList();
    }

    static void checkSyntax(String key) {
        boolean path = key.equals(".") || key.startsWith("..");
        if (!SYNTAX.matcher(key).matches() || key.length() > MAX_LENGTH || path) {
            throw new Invalid(
                    "key " + InputText.quote(key)
                            + " must be at most 253 letters, digits, hyphens, underscores and dots, and must not be \".\" or start with \"..\"");
        }
    }
}
