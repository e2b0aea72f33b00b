package io.bucketwright.store.s3.client;

import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The class parameters of an S3 store.
 *
 * @param endpoint the S3 endpoint that the controller uses
 * @param iamEndpoint the endpoint of the IAM API
 * @param publicEndpoint the S3 endpoint that applications use
 * @param caBundle trusted certificates in PEM format; empty for the trust store of the machine
 * @param identity how the store manages users and keys
 * @param unsupported kinds of options that the store does not support
 */
public record S3Parameters(
        Endpoint endpoint,
        Endpoint iamEndpoint,
        Endpoint publicEndpoint,
        String region,
        boolean pathStyle,
        String caBundle,
        IdentityKind identity,
        Set<Capability> unsupported) {

    private static final String ENDPOINT = "endpoint";
    private static final String IAM_ENDPOINT = "iamEndpoint";
    private static final String PUBLIC_ENDPOINT = "publicEndpoint";
    private static final String REGION = "region";
    private static final String PATH_STYLE = "pathStyle";
    private static final String CA_BUNDLE = "caBundle";
    private static final String IDENTITY = "identity";
    private static final String UNSUPPORTED = "unsupportedOptions";

    private static final Pattern REGION_SHAPE = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    public static ParameterSchema schema() {
        return ParameterSchema.of(
                Parameter.required(ENDPOINT, "The S3 endpoint that the controller uses: a URL.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(IAM_ENDPOINT, "The endpoint of the AWS IAM API: a URL. Defaults to `endpoint`.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(
                                PUBLIC_ENDPOINT,
                                "The S3 endpoint that applications use: a URL. Defaults to `endpoint`.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(REGION, "The region of the buckets and of request signatures.")
                        .withDefault("us-east-1")
                        .checkedBy(S3Parameters::region),
                Parameter.optional(PATH_STYLE, "Whether requests have the bucket in the path instead of the host name.")
                        .withDefault("true")
                        .bool(),
                Parameter.optional(
                                CA_BUNDLE,
                                "Trusted CA certificates in PEM format. They replace the trust store of the machine.")
                        .checkedBy(CaBundle::parse),
                Parameter.optional(IDENTITY, "How the store manages users and access keys: `iam` for the AWS IAM API.")
                        .withDefault(IdentityKind.IAM.text())
                        .checkedBy(IdentityKind::parse),
                Parameter.optional(UNSUPPORTED, "Options that this store does not support, separated by commas.")
                        .checkedBy(AllowedOptions::parse));
    }

    public static S3Parameters of(Parameters parameters) {
        Endpoint endpoint = Endpoint.parse(parameters.text(ENDPOINT));
        Set<Capability> unsupported = EnumSet.noneOf(Capability.class);
        parameters
                .find(UNSUPPORTED)
                .ifPresent(
                        names -> unsupported.addAll(AllowedOptions.parse(names).kinds()));
        return new S3Parameters(
                endpoint,
                parameters.find(IAM_ENDPOINT).map(Endpoint::parse).orElse(endpoint),
                parameters.find(PUBLIC_ENDPOINT).map(Endpoint::parse).orElse(endpoint),
                parameters.text(REGION),
                parameters.isTrue(PATH_STYLE),
                parameters.find(CA_BUNDLE).orElse(""),
                IdentityKind.parse(parameters.text(IDENTITY)),
                Set.copyOf(unsupported));
    }

    private static void region(String text) {
        if (!REGION_SHAPE.matcher(text).matches()) {
            throw new Invalid(InputText.quote(text) + " must be at most 63 lower case letters, digits and hyphens");
        }
    }
}
