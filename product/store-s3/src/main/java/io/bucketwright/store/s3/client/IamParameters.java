package io.bucketwright.store.s3.client;

import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The class parameters of the AWS IAM API.
 *
 * @param signingRegion the region of request signatures, which on AWS is not the region of the buckets
 * @param partition the second part of ARNs in policies: {@code aws}, {@code aws-cn}, {@code aws-us-gov}
 * @param userPath the path of the users, {@code /} if they have none
 * @param keyPropagation how long to wait at most until S3 accepts a new access key
 * @param boundary the ARN of the policy that limits what users can be allowed; empty for none
 * @param onAws whether it is the service of AWS, and not a server that behaves like it
 */
public record IamParameters(
        Endpoint endpoint,
        String signingRegion,
        String partition,
        String userPath,
        Duration keyPropagation,
        String boundary,
        boolean onAws) {

    private static final String ENDPOINT = "iamEndpoint";
    private static final String REGION = "iamRegion";
    static final String PARTITION = "partition";
    private static final String USER_PATH = "userPath";
    static final String KEY_PROPAGATION = "keyPropagation";
    private static final String BOUNDARY = "permissionsBoundary";

    private static final Duration ON_AWS = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Pattern PARTITION_SHAPE = Pattern.compile("aws(-[a-z]{1,10}){0,2}");
    private static final Pattern PATH_SHAPE =
            Pattern.compile("(?=.{1,512}$)(/|/[A-Za-z0-9+=,.@_-]+(/[A-Za-z0-9+=,.@_-]+)*/)");
    private static final Pattern BOUNDARY_SHAPE =
            Pattern.compile("(?=.{1,512}$)arn:aws[a-z-]{0,20}:iam::(\\d{12}|aws):policy/[A-Za-z0-9+=,.@_/-]+");

    /** The parameters of a class that these are read from. */
    static List<Parameter> parameters() {
        return List.of(
                Parameter.optional(
                                ENDPOINT,
                                "The endpoint of the AWS IAM API: a URL. Defaults to `endpoint`, and on AWS to the endpoint of"
                                        + " the partition.")
                        .checkedBy(Endpoint::parse)
                        .connection(),
                Parameter.optional(
                                REGION,
                                "The region of signatures of IAM requests. Defaults to `region`, and on AWS to the region of"
                                        + " the partition's IAM.")
                        .matching(S3Parameters.REGION_SHAPE, S3Parameters.REGION_EXPECTED)
                        .connection(),
                Parameter.optional(
                                PARTITION,
                                "The partition in ARNs of policies: aws, aws-cn, aws-us-gov … Defaults to that of `region` on"
                                        + " AWS, and to aws for other stores.")
                        .matching(PARTITION_SHAPE, "a partition such as aws-cn"),
                Parameter.optional(USER_PATH, "The path of IAM users, for example /bucketwright/.")
                        .withDefault("/")
                        .matching(PATH_SHAPE, "a path such as /bucketwright/"),
                Parameter.optional(
                                KEY_PROPAGATION,
                                "How long to wait at most until S3 accepts a new access key, before it is issued: 0s to 30s,"
                                        + " within the time limit of the call. Defaults to 5s on AWS, and to 0s for other"
                                        + " stores.")
                        .checkedBy(IamParameters::keyPropagation),
                Parameter.optional(
                                BOUNDARY,
                                "The ARN of a managed policy that becomes the permissions boundary of every IAM user.")
                        .matching(BOUNDARY_SHAPE, "the ARN of an IAM policy"));
    }

    static IamParameters of(Parameters parameters, Endpoint s3, String region) {
        AwsEndpoints aws = new AwsEndpoints(region);
        Optional<Endpoint> given = parameters.find(ENDPOINT).map(Endpoint::parse);
        boolean onAws = given.map(aws::contains).orElseGet(() -> aws.contains(s3));
        AwsEndpoints.Iam derived = aws.iam();
        return new IamParameters(
                given.orElse(onAws ? derived.endpoint() : s3),
                parameters.find(REGION).orElse(onAws ? derived.signingRegion() : region),
                parameters
                        .find(PARTITION)
                        .orElse(onAws || aws.contains(s3) ? aws.partition() : AwsEndpoints.DEFAULT_PARTITION),
                parameters.text(USER_PATH),
                parameters
                        .find(KEY_PROPAGATION)
                        .map(IamParameters::keyPropagation)
                        .orElse(onAws ? ON_AWS : Duration.ZERO),
                parameters.find(BOUNDARY).orElse(""),
                onAws);
    }

    private static Duration keyPropagation(String text) {
        return ConnectionSettings.duration(text, Duration.ZERO, LONGEST);
    }
}
