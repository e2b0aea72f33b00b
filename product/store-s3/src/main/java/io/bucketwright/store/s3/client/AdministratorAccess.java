package io.bucketwright.store.s3.client;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.services.sts.endpoints.StsEndpointProvider;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;

/**
 * Where the administrator's credentials come from: a Secret, or the identity of the process (a service account with an IAM
 * role, EKS Pod Identity, an instance role). Either can be exchanged for the credentials of a role.
 *
 * @param role the ARN of the role to assume; empty for none
 * @param externalId what the trust policy of the role may require; empty for none
 * @param sts the endpoint of the service that gives the credentials of the role
 */
public record AdministratorAccess(boolean ambient, String role, String externalId, Endpoint sts) {

    private static final String CREDENTIALS = "credentials";
    private static final String SECRET = "secret";
    private static final String ROLE = "assumeRole";
    private static final String EXTERNAL_ID = "externalId";
    private static final String STS_ENDPOINT = "stsEndpoint";

    private static final Pattern ROLE_SHAPE =
            Pattern.compile("arn:aws[a-z-]{0,20}:iam::\\d{12}:role/[A-Za-z0-9+=,.@_/-]{1,512}");
    private static final Pattern EXTERNAL_ID_SHAPE = Pattern.compile("[A-Za-z0-9+=,.@:/_-]{2,1224}");
    private static final String SESSION = "bucketwright";

    /** The parameters of a class that these are read from. */
    static List<Parameter> parameters() {
        return List.of(
                Parameter.optional(
                                CREDENTIALS,
                                "Where the administrator's credentials come from: secret, or ambient for the identity of the"
                                        + " controller's pod or machine (IRSA, EKS Pod Identity, instance role).")
                        .withDefault(SECRET)
                        .either(SECRET, "ambient")
                        .connection(),
                Parameter.optional(ROLE, "The ARN of an IAM role that the administrator assumes for all requests.")
                        .matching(ROLE_SHAPE, "the ARN of an IAM role")
                        .connection(),
                Parameter.optional(
                                EXTERNAL_ID,
                                "The external id that the trust policy of the role requires. Only with `assumeRole`.")
                        .matching(EXTERNAL_ID_SHAPE, "an external id of 2 to 1224 characters")
                        .connection(),
                Parameter.optional(
                                STS_ENDPOINT,
                                "The endpoint of the AWS STS API, for `assumeRole`: a URL. Defaults to `iamEndpoint`, and on"
                                        + " AWS to the endpoint of `region`.")
                        .checkedBy(Endpoint::parse)
                        .connection());
    }

    static AdministratorAccess of(Parameters parameters, Endpoint s3, Endpoint iam, String region) {
        String role = parameters.find(ROLE).orElse("");
        if (role.isEmpty() && parameters.find(EXTERNAL_ID).isPresent()) {
            throw new Invalid("parameter " + EXTERNAL_ID + ": set " + ROLE + " too, or omit it");
        }
        return new AdministratorAccess(
                !parameters.text(CREDENTIALS).equals(SECRET),
                role,
                parameters.find(EXTERNAL_ID).orElse(""),
                parameters
                        .find(STS_ENDPOINT)
                        .map(Endpoint::parse)
                        .orElseGet(() -> new AwsEndpoints(region).contains(s3) ? sts(region) : iam));
    }

    /**
     * The credentials that sign the administrator's requests. They are read when they are needed, and again before they
     * expire. Nothing has to be closed: no thread refreshes them.
     *
     * @throws Denied if the Secret lacks a key
     * @throws Invalid if there is a Secret that would not be used
     */
    AwsCredentialsProvider provider(AdministratorSecret secret, ConnectionSettings connection, String region) {
        AwsCredentialsProvider own = ambient ? ambient(secret) : StaticCredentialsProvider.create(of(secret));
        if (role.isEmpty()) {
            return own;
        }
        StsClient client = StsClient.builder()
                .endpointOverride(sts.uri())
                .region(Region.of(region))
                .httpClient(connection.http(sts))
                .credentialsProvider(own)
                .overrideConfiguration(configuration -> configuration
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .defaultProfileFile(ProfileFile.aggregator().build()))
                .build();
        AwsCredentialsProvider assumed = StsAssumeRoleCredentialsProvider.builder()
                .stsClient(client)
                .refreshRequest(() -> assumption(connection.connectTimeout().plus(connection.readTimeout())))
                .build();
        return () -> assume(assumed);
    }

    private AssumeRoleRequest assumption(Duration longest) {
        Duration limit = StoreRequest.remaining(longest);
        return AssumeRoleRequest.builder()
                .roleArn(role)
                .roleSessionName(SESSION)
                .externalId(externalId.isEmpty() ? null : externalId)
                .overrideConfiguration(configuration ->
                        configuration.apiCallTimeout(limit.isPositive() ? limit : Duration.ofMillis(1)))
                .build();
    }

    /** Not as an error of the request that needs the credentials. */
    private AwsCredentials assume(AwsCredentialsProvider assumed) {
        String problem = "Could not assume the role " + role + " (parameter " + ROLE + "): AWS STS ";
        try {
            return assumed.resolveCredentials();
        } catch (AwsServiceException e) {
            String code = StoreRequest.code(e);
            String message =
                    problem + "responded " + e.statusCode() + (code.isEmpty() ? "" : " " + InputText.quote(code)) + ".";
            throw StoreRequest.isBusy(e) ? new Unavailable(message, e) : new Denied(message, e);
        } catch (SdkException e) {
            throw new Unavailable(problem + "does not respond. Its endpoint is the parameter " + STS_ENDPOINT + ".", e);
        }
    }

    private static AwsCredentialsProvider ambient(AdministratorSecret secret) {
        if (!secret.data().isEmpty()) {
            throw new Invalid("parameter " + CREDENTIALS + ": ambient uses no Secret, and the class names one");
        }
        AwsCredentialsProvider chain = DefaultCredentialsProvider.builder().build();
        return () -> {
            try {
                return chain.resolveCredentials();
            } catch (SdkException e) {
                throw new Denied(
                        "The controller has no AWS identity (parameter " + CREDENTIALS
                                + ": ambient). Give its service account an IAM role or an EKS Pod Identity association, or"
                                + " its machine an instance role.",
                        e);
            }
        };
    }

    private static AwsCredentials of(AdministratorSecret secret) {
        String id = secret.require("AWS_ACCESS_KEY_ID", "ACCESS_KEY_ID", "accessKeyId", "AccessKey")
                .reveal();
        String key = secret.require("AWS_SECRET_ACCESS_KEY", "SECRET_ACCESS_KEY", "secretAccessKey", "SecretKey")
                .reveal();
        return secret.find("AWS_SESSION_TOKEN", "sessionToken")
                .<AwsCredentials>map(token -> AwsSessionCredentials.create(id, key, token.reveal()))
                .orElseGet(() -> AwsBasicCredentials.create(id, key));
    }

    private static Endpoint sts(String region) {
        return Endpoint.parse(StsEndpointProvider.defaultProvider()
                .resolveEndpoint(request -> request.region(Region.of(region))
                        .useFips(false)
                        .useDualStack(false)
                        .useGlobalEndpoint(false))
                .join()
                .endpointUrl()
                .toUri()
                .toString());
    }
}
