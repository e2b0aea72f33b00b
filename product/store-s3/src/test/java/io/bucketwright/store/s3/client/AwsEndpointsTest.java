package io.bucketwright.store.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AwsEndpointsTest {

    /** As the AWS General Reference lists them. */
    @ParameterizedTest
    @CsvSource({
        "us-east-1, aws, https://s3.us-east-1.amazonaws.com, https://iam.amazonaws.com, us-east-1",
        "eu-central-1, aws, https://s3.eu-central-1.amazonaws.com, https://iam.amazonaws.com, us-east-1",
        "ap-southeast-2, aws, https://s3.ap-southeast-2.amazonaws.com, https://iam.amazonaws.com, us-east-1",
        "cn-northwest-1, aws-cn, https://s3.cn-northwest-1.amazonaws.com.cn, "
                + "https://iam.cn-north-1.amazonaws.com.cn, cn-north-1",
        "us-gov-east-1, aws-us-gov, https://s3.us-gov-east-1.amazonaws.com, "
                + "https://iam.us-gov.amazonaws.com, us-gov-west-1",
        "us-iso-west-1, aws-iso, https://s3.us-iso-west-1.c2s.ic.gov, "
                + "https://iam.us-iso-east-1.c2s.ic.gov, us-iso-east-1",
        "us-isob-east-1, aws-iso-b, https://s3.us-isob-east-1.sc2s.sgov.gov, "
                + "https://iam.us-isob-east-1.sc2s.sgov.gov, us-isob-east-1",
        "us-isof-south-1, aws-iso-f, https://s3.us-isof-south-1.csp.hci.ic.gov, "
                + "https://iam.us-isof-south-1.csp.hci.ic.gov, us-isof-south-1",
        "eu-isoe-west-1, aws-iso-e, https://s3.eu-isoe-west-1.cloud.adc-e.uk, "
                + "https://iam.eu-isoe-west-1.cloud.adc-e.uk, eu-isoe-west-1",
        "eusc-de-east-1, aws-eusc, https://s3.eusc-de-east-1.amazonaws.eu, "
                + "https://iam.eusc-de-east-1.amazonaws.eu, eusc-de-east-1"
    })
    void theRegionDeterminesEndpointsAndSignatures(
            String region, String partition, String s3, String iam, String signingRegion) {
        AwsEndpoints aws = new AwsEndpoints(region);
        assertThat(aws.partition()).isEqualTo(partition);
        assertThat(aws.s3()).isEqualTo(Endpoint.parse(s3));
        assertThat(aws.iam()).isEqualTo(new AwsEndpoints.Iam(Endpoint.parse(iam), signingRegion));
        assertThat(aws.contains(aws.s3())).isTrue();
        assertThat(aws.contains(aws.iam().endpoint())).isTrue();
    }

    /** AWS opens regions faster than SDKs are updated. */
    @Test
    void aRegionThatTheSdkDoesNotListHasEndpointsToo() {
        assertThat(new AwsEndpoints("eu-north-9").s3()).hasToString("https://s3.eu-north-9.amazonaws.com");
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "minio", "zone-a"})
    void aRegionOfAnotherStoreHasNone(String region) {
        assertThatThrownBy(() -> new AwsEndpoints(region).s3())
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("parameter region")
                .hasMessageContaining("endpoint");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://amazonaws.com.example.org", "https://notamazonaws.com", "http://127.0.0.1:7170"})
    void otherHostsAreNotAws(String url) {
        assertThat(new AwsEndpoints("eu-central-1").contains(Endpoint.parse(url)))
                .isFalse();
    }
}
