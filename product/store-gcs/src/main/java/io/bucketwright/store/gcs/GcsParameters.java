package io.bucketwright.store.gcs;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.http.TransportSettings;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        HMAC,
        SERVICE_ACCOUNT
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
    static final String PRINCIPAL_KEYS = "principalKeys";

    private static final String AMBIENT = "ambient";
    static final String HMAC = "hmac";
    static final String SERVICE_ACCOUNT = "serviceAccount";

    private static final Pattern PROJECT_ID =
            Pattern.compile("([a-z0-9][a-z0-9.-]{0,61}[a-z0-9]:)?[a-z][a-z0-9-]{4,28}[a-z0-9]");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");
    private static final String NAMED = "at most 63 letters, digits, hyphens and underscores";

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
                                .either("secret", AMBIENT)
                                .connection(),
                        Parameter.optional(
                                        PRINCIPAL_KEYS,
                                        "The credentials of applications. `hmac`: HMAC keys, for clients of S3 and of the XML API."
                                                + " `serviceAccount`: service account keys, for clients of Google Cloud.")
                                .withDefault(HMAC)
                                .either(HMAC, SERVICE_ACCOUNT),
                        Parameter.optional(LOCATION, "The location of new buckets: a region or multi-region.")
                                .withDefault("US")
                                .matching(NAME, NAMED),
                        Parameter.optional(
                                        STORAGE_CLASS,
                                        "The storage class of new buckets. Defaults to that of the service.")
                                .matching(NAME, NAMED),
                        Parameter.optional(ENDPOINT, "The endpoint of Cloud Storage that the controller uses: a URL.")
                                .withDefault("https://storage.googleapis.com")
                                .checkedBy(Endpoint::parse)
                                .connection(),
                        Parameter.optional(
                                        PUBLIC_ENDPOINT,
                                        "The endpoint of Cloud Storage that applications use: a URL. Defaults to `endpoint`.")
                                .checkedBy(Endpoint::parse)
                                .connection(),
                        Parameter.optional(IAM_ENDPOINT, "The endpoint of the IAM API: a URL.")
                                .withDefault("https://iam.googleapis.com")
                                .checkedBy(Endpoint::parse)
                                .connection(),
                        Parameter.optional(
                                        TOKEN_ENDPOINT,
                                        "The server of the token endpoint: a URL without a path; requests go to `/token`. Defaults"
                                                + " to the `token_uri` of the administrator's key.")
                                .checkedBy(Endpoint::parse)
                                .connection(),
                        Parameter.optional(
                                        METADATA_ENDPOINT,
                                        "The metadata server for `credentials: ambient`: a URL. It is never reached through a"
                                                + " proxy.")
                                .withDefault("http://metadata.google.internal")
                                .checkedBy(Endpoint::parse)
                                .connection())
                .plus(TransportSettings.schema());
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
                parameters.text(PRINCIPAL_KEYS).equals(HMAC) ? KeyKind.HMAC : KeyKind.SERVICE_ACCOUNT,
                TransportSettings.of(parameters, endpoint, Set.of(metadata.host())));
    }

    /** Whether the store is the service of Google, and not a server that behaves like it. */
    boolean isGoogle() {
        return endpoint.host().endsWith(".googleapis.com");
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

    /**
     * How applications connect to a bucket.
     *
     * @param hmac whether they have an HMAC key, which is for clients of S3: they need a region and get the one that Google
     *     documents
     */
    Connection connection(BucketName bucket, boolean hmac) {
        Map<String, String> values = new HashMap<>();
        values.put(ConnectionDataKey.GOOGLE_CLOUD_PROJECT.key(), project);
        if (hmac) {
            values.put(ConnectionDataKey.AWS_ENDPOINT_URL.key(), publicEndpoint.toString());
            values.put(ConnectionDataKey.AWS_REGION.key(), "auto");
        }
        return new Connection(bucket, publicEndpoint, values);
    }

    static void checkProject(String text) {
        if (!PROJECT_ID.matcher(text).matches()) {
            throw new Invalid(
                    InputText.quote(text)
                            + " must be the id of a project: 6 to 30 lower case letters, digits and hyphens, starting with a letter");
        }
    }
}
