package io.bucketwright.store.s3.client;

import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import java.util.Locale;
import software.amazon.awssdk.awscore.endpoints.AwsEndpointAttribute;
import software.amazon.awssdk.awscore.endpoints.authscheme.EndpointAuthScheme;
import software.amazon.awssdk.awscore.endpoints.authscheme.SigV4AuthScheme;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.endpoints.IamEndpointProvider;
import software.amazon.awssdk.services.s3.endpoints.S3EndpointProvider;

/**
 * The endpoints of AWS for a region, from the tables of the SDK. IAM has one endpoint per partition (AWS, China, GovCloud),
 * and its requests are signed for the region of that endpoint, not for the region of the buckets.
 */
public record AwsEndpoints(String region) {

    /** The partition of stores that are not AWS: their ARNs begin with {@code arn:aws}. */
    public static final String DEFAULT_PARTITION = "aws";

    /**
     * An endpoint of the IAM API.
     *
     * @param signingRegion the region of request signatures
     */
    public record Iam(Endpoint endpoint, String signingRegion) {}

    /** The id of the partition, the second part of every ARN. */
    public String partition() {
        return metadata().id();
    }

    /** Whether the host belongs to AWS in the partition of the region. */
    public boolean contains(Endpoint endpoint) {
        return endpoint.host()
                .toLowerCase(Locale.ROOT)
                .endsWith("." + metadata().dnsSuffix());
    }

    /**
     * The S3 endpoint.
     *
     * @throws Invalid if AWS has no such region
     */
    public Endpoint s3() {
        if (!region.matches(metadata().regionRegex())) {
            throw new Invalid("parameter region: " + InputText.quote(region)
                    + " is not a region of AWS. Set the parameter endpoint for another store");
        }
        return Endpoint.parse(S3EndpointProvider.defaultProvider()
                .resolveEndpoint(request ->
                        request.region(Region.of(region)).useFips(false).useDualStack(false))
                .join()
                .endpointUrl()
                .toUri()
                .toString());
    }

    public Iam iam() {
        software.amazon.awssdk.endpoints.Endpoint resolved = IamEndpointProvider.defaultProvider()
                .resolveEndpoint(request ->
                        request.region(Region.of(region)).useFips(false).useDualStack(false))
                .join();
        List<EndpointAuthScheme> schemes = resolved.attribute(AwsEndpointAttribute.AUTH_SCHEMES);
        String signingRegion = (schemes == null ? List.<EndpointAuthScheme>of() : schemes)
                .stream()
                        .filter(SigV4AuthScheme.class::isInstance)
                        .map(scheme -> ((SigV4AuthScheme) scheme).signingRegion())
                        .findFirst()
                        .orElse(region);
        return new Iam(Endpoint.parse(resolved.endpointUrl().toUri().toString()), signingRegion);
    }

    private PartitionMetadata metadata() {
        return PartitionMetadata.of(Region.of(region));
    }
}
