package io.bucketwright.store.s3.client;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The class parameters of an S3 store.
 *
 * @param endpoint the S3 endpoint that the controller uses
 * @param publicEndpoint the S3 endpoint that applications use
 * @param pathStyle whether requests have the bucket in the path instead of the host name
 * @param iam the IAM API
 * @param administrator where the administrator's credentials come from
 * @param bucketDefaults what every new bucket has
 * @param connection how the controller connects to all endpoints
 * @param identity how the store manages users and keys
 * @param unsupported what the store does not support, or the class does not want
 */
public record S3Parameters(
        Endpoint endpoint,
        Endpoint publicEndpoint,
        String region,
        boolean pathStyle,
        IamParameters iam,
        AdministratorAccess administrator,
        BucketDefaults bucketDefaults,
        ConnectionSettings connection,
        IdentityKind identity,
        Set<Capability> unsupported) {

    private static final String ENDPOINT = "endpoint";
    private static final String PUBLIC_ENDPOINT = "publicEndpoint";
    private static final String REGION = "region";
    private static final String PATH_STYLE = "pathStyle";
    private static final String IDENTITY = "identity";
    private static final String MEASURE_USAGE = "measureUsage";
    private static final String UNSUPPORTED = "unsupportedOptions";

    private static final String DEFAULT_REGION = "us-east-1";
    static final Pattern REGION_SHAPE = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    static final String REGION_EXPECTED = "at most 63 lower case letters, digits and hyphens";
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]");

    public static ParameterSchema schema() {
        List<Parameter> all = new ArrayList<>(List.of(
                Parameter.optional(
                                ENDPOINT,
                                "The S3 endpoint that the controller uses: a URL. Required, except for AWS: there it defaults"
                                        + " to the endpoint of `region`.")
                        .checkedBy(Endpoint::parse)
                        .connection(),
                Parameter.optional(
                                PUBLIC_ENDPOINT,
                                "The S3 endpoint that applications use: a URL. Defaults to `endpoint`.")
                        .checkedBy(Endpoint::parse)
                        .connection(),
                Parameter.optional(
                                REGION,
                                "The region of the buckets and of request signatures. Defaults to us-east-1. Required on AWS"
                                        + " without `endpoint`.")
                        .matching(REGION_SHAPE, REGION_EXPECTED),
                Parameter.optional(
                                PATH_STYLE,
                                "Whether requests have the bucket in the path instead of the host name. Defaults to true, and"
                                        + " on AWS to false.")
                        .bool()
                        .connection(),
                Parameter.optional(
                                IDENTITY,
                                "How the store manages users and access keys: `iam` for the AWS IAM API, `minio` for MinIO,"
                                        + " `ceph` for the admin ops API of the Ceph object gateway, `static` for keys that all"
                                        + " claims share, `auto` to detect `minio`, `ceph` or `iam`. Defaults to iam, and to ceph with"
                                        + " `objectStoreName`.")
                        .checkedBy(IdentityKind::parse)));
        all.addAll(RookObjectStore.parameters());
        all.addAll(IamParameters.parameters());
        all.addAll(AdministratorAccess.parameters());
        all.addAll(BucketDefaults.parameters());
        all.addAll(ConnectionSettings.parameters());
        all.add(Parameter.optional(
                        MEASURE_USAGE,
                        "Whether the usage of buckets is measured: by lists of their objects, on Ceph by its statistics."
                                + " Defaults to true, and on AWS to false, because lists cost money.")
                .bool());
        all.add(Parameter.optional(UNSUPPORTED, "Options that this store does not support, separated by commas.")
                .checkedBy(AllowedOptions::parse));
        return new ParameterSchema(all, S3Parameters::of);
    }

    /**
     * Reads the parameters of a class.
     *
     * @throws Invalid if parameters contradict each other
     */
    public static S3Parameters of(Parameters parameters) {
        String region = parameters.find(REGION).orElse(DEFAULT_REGION);
        Optional<RookObjectStore> rook = RookObjectStore.of(parameters);
        Endpoint endpoint = rook.filter(_ -> parameters.find(ENDPOINT).isEmpty())
                .map(RookObjectStore::service)
                .orElseGet(() -> endpoint(parameters, region));
        boolean pathStyle = parameters
                .find(PATH_STYLE)
                .map("true"::equals)
                .orElseGet(() -> !new AwsEndpoints(region).contains(endpoint));
        if (!pathStyle && ADDRESS.matcher(endpoint.host()).matches()) {
            throw new Invalid("parameter " + PATH_STYLE + ": false requires a host name in the parameter " + ENDPOINT
                    + ", to which the name of the bucket can be added");
        }
        Set<Capability> unsupported = EnumSet.noneOf(Capability.class);
        parameters
                .find(UNSUPPORTED)
                .ifPresent(
                        names -> unsupported.addAll(AllowedOptions.parse(names).kinds()));
        boolean aws = new AwsEndpoints(region).contains(endpoint);
        if (!parameters.find(MEASURE_USAGE).map("true"::equals).orElse(!aws)) {
            unsupported.add(Capability.USAGE);
        }
        IamParameters iam = IamParameters.of(parameters, endpoint, region);
        return new S3Parameters(
                endpoint,
                parameters.find(PUBLIC_ENDPOINT).map(Endpoint::parse).orElse(endpoint),
                region,
                pathStyle,
                iam,
                AdministratorAccess.of(parameters, endpoint, iam.endpoint(), region),
                BucketDefaults.of(parameters, aws),
                ConnectionSettings.of(parameters),
                parameters
                        .find(IDENTITY)
                        .map(IdentityKind::parse)
                        .orElse(rook.isPresent() ? IdentityKind.CEPH : IdentityKind.IAM),
                Set.copyOf(unsupported));
    }

    /**
     * With the endpoint that an administrator's Secret of Rook names, where the class names the object store instead of an
     * endpoint.
     *
     * @param ofSecret the endpoint in the Secret; empty if it has none
     */
    public S3Parameters resolved(Parameters parameters, String ofSecret) {
        if (ofSecret.isEmpty()
                || RookObjectStore.of(parameters).isEmpty()
                || parameters.find(ENDPOINT).isPresent()) {
            return this;
        }
        Endpoint actual = Endpoint.parse(ofSecret);
        return new S3Parameters(
                actual,
                parameters.find(PUBLIC_ENDPOINT).map(Endpoint::parse).orElse(actual),
                region,
                pathStyle,
                iam,
                administrator,
                bucketDefaults,
                connection,
                identity,
                unsupported);
    }

    /**
     * Where the buckets are. On AWS the name of a bucket is unique in the partition, whatever endpoint is used; otherwise an
     * endpoint is a store.
     */
    public Object location() {
        AwsEndpoints aws = new AwsEndpoints(region);
        return aws.contains(endpoint) ? aws.partition() : endpoint;
    }

    /** The parameters whose defaults depend on the endpoint or on the object store of Rook, with their values. */
    public Map<String, String> implied() {
        return Map.of(
                IDENTITY,
                identity.text(),
                MEASURE_USAGE,
                Boolean.toString(!unsupported.contains(Capability.USAGE)),
                IamParameters.PARTITION,
                iam.partition(),
                IamParameters.KEY_PROPAGATION,
                iam.keyPropagation().toSeconds() + "s",
                BucketDefaults.PUBLIC_ACCESS_BLOCK,
                Boolean.toString(bucketDefaults.publicAccessBlock()));
    }

    /** How applications connect to a bucket. */
    public Connection connection(BucketName bucket) {
        return Connection.s3(bucket, publicEndpoint, region);
    }

    /** Whether all claims of the class get a key from the administrator's Secret. */
    public static boolean hasSharedKeys(Parameters parameters) {
        return parameters
                .find(IDENTITY)
                .filter(kind -> IdentityKind.parse(kind) == IdentityKind.STATIC)
                .isPresent();
    }

    private static Endpoint endpoint(Parameters parameters, String region) {
        Optional<Endpoint> given = parameters.find(ENDPOINT).map(Endpoint::parse);
        if (given.isEmpty() && parameters.find(REGION).isEmpty()) {
            throw new Invalid("parameter " + ENDPOINT
                    + " is missing: set it to the URL of the store, or set only the parameter " + REGION + " for AWS");
        }
        return given.orElseGet(() -> new AwsEndpoints(region).s3());
    }
}
