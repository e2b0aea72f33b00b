package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.AzureContext;
import io.bucketwright.cosi.proto.Bucket;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.S3Context;
import io.bucketwright.cosi.sidecar.dialect.DialectOrders;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CosiV1DriverTest {

    @Test
    void theContextOfS3IsCompleteIfTheClassNamesTheEndpoint() {
        ProviderContext context = ProviderContext.newBuilder()
                .setS3Context(S3Context.newBuilder().setLocation("north"))
                .build();
        assertThat(created(Protocol.S3, Map.of("endpoint", "https://s3.example.com"), context))
                .isEqualTo(new DriverAnswer.Done<>(new CreatedBucket(
                        Optional.empty(),
                        Map.of("BUCKET_ENDPOINT", "https://s3.example.com", "BUCKET_REGION", "north"))));
    }

    @Test
    void theContextOfAzureIsCompleteIfTheClassNamesTheStorageAccount() {
        ProviderContext context = ProviderContext.newBuilder()
                .setAzureContext(AzureContext.getDefaultInstance())
                .build();
        assertThat(created(Protocol.AZURE_BLOB, Map.of("storageAccount", "photos"), context))
                .isEqualTo(new DriverAnswer.Done<>(
                        new CreatedBucket(Optional.empty(), Map.of("AZURE_STORAGE_ACCOUNT", "photos"))));
    }

    private static DriverAnswer<CreatedBucket> created(
            Protocol protocol, Map<String, String> parameters, ProviderContext context) {
        return CosiV1Driver.created(
                DialectOrders.create(protocol, parameters),
                CreateBucketResponse.newBuilder()
                        .setBucket(Bucket.newBuilder().setProviderContext(context))
                        .build());
    }
}
