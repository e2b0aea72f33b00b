package io.bucketwright.store.s3;

import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a class says about an S3 store.
 *
 * @param endpoint where we reach S3
 * @param iamEndpoint where we reach the IAM API
 * @param publicEndpoint where applications reach S3
 * @param caBundle certificates in PEM that we trust; empty for those that the machine trusts
 * @param lacking kinds of options that the store does not have
 */
record S3Parameters(
        Endpoint endpoint,
        Endpoint iamEndpoint,
        Endpoint publicEndpoint,
        String region,
        boolean pathStyle,
        String caBundle,
        Set<Capability> lacking) {

    private static final String ENDPOINT = "endpoint";
    private static final String IAM_ENDPOINT = "iamEndpoint";
    private static final String PUBLIC_ENDPOINT = "publicEndpoint";
    private static final String REGION = "region";
    private static final String PATH_STYLE = "pathStyle";
    private static final String CA_BUNDLE = "caBundle";
    private static final String LACKING = "unsupportedOptions";

    private static final Pattern REGION_SHAPE = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    static ParameterSchema schema() {
        return ParameterSchema.of(
                Parameter.required(ENDPOINT, "Where the controller reaches S3: a URL.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(IAM_ENDPOINT, "Where it reaches the AWS IAM API: a URL. As `endpoint` if not given.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(PUBLIC_ENDPOINT, "Where applications reach S3: a URL. As `endpoint` if not given.")
                        .checkedBy(Endpoint::parse),
                Parameter.optional(REGION, "The region to sign for and to make buckets in.")
                        .withDefault("us-east-1")
                        .checkedBy(S3Parameters::region),
                Parameter.optional(PATH_STYLE, "Whether the bucket stands in the path and not in the host name.")
                        .withDefault("true")
                        .bool(),
                Parameter.optional(CA_BUNDLE, "Certificates to trust instead of the machine's own, in PEM.")
                        .checkedBy(CaBundle::parse),
                Parameter.optional(LACKING, "Kinds of options that this store is known to lack, separated by commas.")
                        .checkedBy(AllowedOptions::parse));
    }

    static S3Parameters of(Parameters parameters) {
        Endpoint endpoint = Endpoint.parse(parameters.text(ENDPOINT));
        Set<Capability> lacking = EnumSet.noneOf(Capability.class);
        parameters
                .find(LACKING)
                .ifPresent(words -> lacking.addAll(AllowedOptions.parse(words).kinds()));
        return new S3Parameters(
                endpoint,
                parameters.find(IAM_ENDPOINT).map(Endpoint::parse).orElse(endpoint),
                parameters.find(PUBLIC_ENDPOINT).map(Endpoint::parse).orElse(endpoint),
                parameters.text(REGION),
                parameters.isTrue(PATH_STYLE),
                parameters.find(CA_BUNDLE).orElse(""),
                Set.copyOf(lacking));
    }

    private static void region(String text) {
        if (!REGION_SHAPE.matcher(text).matches()) {
            throw new Invalid(InputText.quote(text) + " must be at most 63 lower case letters, digits and hyphens");
        }
    }
}
