package io.bucketwright.store.gcs;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.gcs.rest.TransportSettings;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The class parameters of a store for Google Cloud Storage.
 *
 * @param endpoint the endpoint of Cloud Storage that the controller uses
 * @param publicEndpoint the endpoint that applications use
 * @param iamEndpoint the endpoint of the IAM API
 * @param tokenEndpoint replaces the token endpoint in the administrator's key
 * @param metadataEndpoint the metadata server, for an administrator with the identity of the pod
 * @param project the project of buckets and service accounts; empty for the project of the administrator's key
 * @param ambient whether the administrator is the identity of the pod instead of a key in a Secret
 * @param storageClass the storage class of new buckets; empty for the default
 * @param connection how to connect to all of them
 */
record GcsParameters(
        Endpoint endpoint,
        Endpoint publicEndpoint,
        Endpoint iamEndpoint,
        Optional<Endpoint> tokenEndpoint,
        Endpoint metadataEndpoint,
        String project,
        boolean ambient,
        String location,
        String storageClass,
        KeyKind principalKeys,
        TransportSettings connection) {

    /** The credentials of principals. */
    enum KeyKind {
        HMAC("hmac"),
        SERVICE_ACCOUNT("serviceAccount");

        private final String text;

        KeyKind(String text) {
            this.text = text;
        }

        static KeyKind parse(String text) {
            for (KeyKind kind : values()) {
                if (kind.text.equals(text)) {
                    return kind;
                }
            }
            throw new Invalid(InputText.quote(text) + " must be hmac or serviceAccount");
        }
    }

    private static final String ENDPOINT = "endpoint";
    private static final String PUBLIC_ENDPOINT = "publicEndpoint";
    private static final String IAM_ENDPOINT = "iamEndpoint";
    private static final String TOKEN_ENDPOINT = "tokenEndpoint";
    private static final String METADATA_ENDPOINT = "metadataEndpoint";
    private static final String PROJECT = "project";
    private static final String CREDENTIALS = "credentials";
    private static final String LOCATION = "location";
    private static final String STORAGE_CLASS = "storageClass";
    private static final String PRINCIPAL_KEYS = "principalKeys";
    private static final String CA_BUNDLE = "caBundle";
    private static final String PROXY = "proxy";
    private static final String CONNECT_TIMEOUT = "connectTimeout";
    private static final String REQUEST_TIMEOUT = "requestTimeout";

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final String AMBIENT = "ambient";

    private static final Pattern PROJECT_ID =
            Pattern.compile("([a-z0-9][a-z0-9.-]{0,61}[a-z0-9]:)?[a-z][a-z0-9-]{4,28}[a-z0-9]");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    static ParameterSchema schema() {
        return ParameterSchema.of(
                Parameter.optional(
                                PROJECT,
                                "The project of the buckets and service accounts. Defaults to the project of"
                                        + " the administrator's key; required with `credentials: ambient`.")
                        .checkedBy(GcsParameters::checkProject),
                Parameter.optional(
                                CREDENTIALS,
                                "`secret`: the administrator is the service account whose key is in the administrator's"
                                        + " Secret. `ambient`: it is the identity of the pod (workload identity, metadata"
                                        + " server), and no Secret is needed.")
                        .withDefault("secret")
                        .checkedBy(GcsParameters::checkCredentials),
                Parameter.optional(
                                PRINCIPAL_KEYS,
                                "The credentials of applications. `hmac`: HMAC keys, for clients of S3 and of the XML API."
                                        + " `serviceAccount`: service account keys, for clients of Google Cloud.")
                        .withDefault("hmac")
                        .checkedBy(KeyKind::parse),
                Parameter.optional(LOCATION, "The location of new buckets: a region or multi-region.")
                        .withDefault("US")
                        .checkedBy(GcsParameters::checkName),
                Parameter.optional(STORAGE_CLASS, "The storage class of new buckets. Defaults to that of the service.")
                        .checkedBy(GcsParameters::checkName),
                Parameter.optional(ENDPOINT, "The endpoint of Cloud Storage that the controller uses: a URL.")
                        .withDefault("https://storage.googleapis.com")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(
                                PUBLIC_ENDPOINT,
                                "The endpoint of Cloud Storage that applications use: a URL. Defaults to `endpoint`.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(IAM_ENDPOINT, "The endpoint of the IAM API: a URL.")
                        .withDefault("https://iam.googleapis.com")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(
                                TOKEN_ENDPOINT,
                                "The server of the token endpoint: a URL without a path; requests go to `/token`. Defaults"
                                        + " to the `token_uri` of the administrator's key.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(METADATA_ENDPOINT, "The metadata server for `credentials: ambient`: a URL.")
                        .withDefault("http://metadata.google.internal")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(
                                CA_BUNDLE,
                                "Trusted CA certificates in PEM format. They replace the trust store of the machine.")
                        .checkedBy(CaBundle::parse),
                Parameter.optional(
                                PROXY,
                                "An HTTP proxy between the controller and Google Cloud: a URL such as `http://proxy:3128`."
                                        + " The metadata server is never reached through it.")
                        .checkedBy(GcsParameters::checkProxy),
                Parameter.optional(CONNECT_TIMEOUT, "The time limit for a connection: at most `60s`.")
                        .withDefault("2s")
                        .checkedBy(GcsParameters::timeout),
                Parameter.optional(REQUEST_TIMEOUT, "The time limit for a request: at most `60s`.")
                        .withDefault("5s")
                        .checkedBy(GcsParameters::timeout));
    }

    /**
     * Reads validated parameters.
     *
     * @throws Invalid if the project is missing and cannot be known from a key
     */
    static GcsParameters of(Parameters parameters) {
        Endpoint endpoint = Endpoint.parse(parameters.text(ENDPOINT));
        boolean ambient = parameters.text(CREDENTIALS).equals(AMBIENT);
        String project = parameters.find(PROJECT).orElse("");
        if (ambient && project.isEmpty()) {
            throw new Invalid("parameter project is missing: credentials: ambient requires it");
        }
        Endpoint metadata = Endpoint.parse(parameters.text(METADATA_ENDPOINT));
        return new GcsParameters(
                endpoint,
                parameters.find(PUBLIC_ENDPOINT).map(Endpoint::parse).orElse(endpoint),
                Endpoint.parse(parameters.text(IAM_ENDPOINT)),
                parameters.find(TOKEN_ENDPOINT).map(Endpoint::parse),
                metadata,
                project,
                ambient,
                parameters.text(LOCATION),
                parameters.find(STORAGE_CLASS).orElse(""),
                KeyKind.parse(parameters.text(PRINCIPAL_KEYS)),
                new TransportSettings(
                        endpoint,
                        metadata,
                        parameters.find(CA_BUNDLE).orElse(""),
                        parameters.find(PROXY).map(Endpoint::parse),
                        timeout(parameters.text(CONNECT_TIMEOUT)),
                        timeout(parameters.text(REQUEST_TIMEOUT))));
    }

    GcsParameters withProject(String newProject) {
        return new GcsParameters(
                endpoint,
                publicEndpoint,
                iamEndpoint,
                tokenEndpoint,
                metadataEndpoint,
                newProject,
                ambient,
                location,
                storageClass,
                principalKeys,
                connection);
    }

    static void checkProject(String text) {
        if (!PROJECT_ID.matcher(text).matches()) {
            throw new Invalid(
                    InputText.quote(text)
                            + " must be the id of a project: 6 to 30 lower case letters, digits and hyphens, starting with a letter");
        }
    }

    private static void checkCredentials(String text) {
        if (!text.equals("secret") && !text.equals(AMBIENT)) {
            throw new Invalid(InputText.quote(text) + " must be secret or ambient");
        }
    }

    private static void checkProxy(String url) {
        if (Endpoint.parse(url).secure()) {
            throw new Invalid(
                    "the connection to the proxy must be http; requests to an https endpoint stay encrypted in it");
        }
    }

    private static Duration timeout(String text) {
        try {
            Duration parsed = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
            if (parsed.isPositive() && parsed.compareTo(LONGEST) <= 0) {
                return parsed;
            }
        } catch (DateTimeParseException malformed) {
            // Rejected below, like a duration out of range.
        }
        throw new Invalid(
                InputText.quote(text) + " must be a duration of more than 0s and at most 60s, such as 5s or 1.5s");
    }

    private static void checkName(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new Invalid(InputText.quote(text) + " must be at most 63 letters, digits, hyphens and underscores");
        }
    }
}
