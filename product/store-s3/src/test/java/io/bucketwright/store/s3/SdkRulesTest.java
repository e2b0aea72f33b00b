package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.OptionJson;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.LifecycleRule;

final class SdkRulesTest {

    @Test
    void thePolicyThatWasCheckedIsSent() {
        assertThat(withId("""
                        { "Version": "2012-10-17", "Statement": [ {"Sid": "a\\u0022b", "Effect": "Allow"} ] }"""))
                .isEqualTo("{\"Id\":\"bucketwright.io/option\",\"Version\":\"2012-10-17\",\"Statement\":"
                        + "[{\"Sid\":\"a\\\"b\",\"Effect\":\"Allow\"}]}");
        assertThat(withId("{}")).isEqualTo("{\"Id\":\"bucketwright.io/option\"}");
    }

    private static String withId(String policy) {
        return BucketPolicies.withId(OptionJson.of("policy", policy));
    }

    @Test
    void allFieldsOfALifecycleAreSentAndNoOthers() {
        LifecycleRule rule = SdkRules.of(Lifecycle.parse("""
                        [{"Filter": {"Tag": {"Key": "k", "Value": "v"}, "ObjectSizeGreaterThan": 5},
                          "Expiration": {"Date": "2030-01-01T00:00:00Z"},
                          "NoncurrentVersionExpiration": {"NoncurrentDays": 3, "NewerNoncurrentVersions": 2},
                          "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1},
                          "Transitions": [{"Days": 30, "StorageClass": "GLACIER"}],
                          "NoncurrentVersionTransitions": [{"NoncurrentDays": 7, "StorageClass": "GLACIER"}]}]""")).getFirst();
        assertThat(rule.id()).isNull();
        assertThat(rule.statusAsString()).isEqualTo("Enabled");
        assertThat(rule.filter().tag().key()).isEqualTo("k");
        assertThat(rule.filter().prefix()).isNull();
        assertThat(rule.filter().objectSizeGreaterThan()).isEqualTo(5);
        assertThat(rule.filter().objectSizeLessThan()).isNull();
        assertThat(rule.expiration().date()).hasToString("2030-01-01T00:00:00Z");
        assertThat(rule.expiration().days()).isNull();
        assertThat(rule.noncurrentVersionExpiration().newerNoncurrentVersions()).isEqualTo(2);
        assertThat(rule.abortIncompleteMultipartUpload().daysAfterInitiation()).isEqualTo(1);
        assertThat(rule.transitions().getFirst().days()).isEqualTo(30);
        assertThat(rule.noncurrentVersionTransitions().getFirst().noncurrentDays())
                .isEqualTo(7);
    }

    @Test
    void aRuleWithoutActionsHasNoListsOfThem() {
        LifecycleRule rule =
                SdkRules.of(Lifecycle.parse("[{\"Status\":\"Disabled\"}]")).getFirst();
        assertThat(rule.statusAsString()).isEqualTo("Disabled");
        assertThat(rule.filter().prefix()).isEmpty();
        assertThat(rule.hasTransitions()).isFalse();
        assertThat(rule.hasNoncurrentVersionTransitions()).isFalse();
    }

    @Test
    void corsRulesAreSent() {
        CORSRule rule = SdkRules.of(Cors.parse("""
                {"CORSRules": [{"AllowedMethods": ["GET", "PUT"], "AllowedOrigins": ["*"], "MaxAgeSeconds": 60}]}""")).getFirst();
        assertThat(rule.allowedMethods()).containsExactly("GET", "PUT");
        assertThat(rule.maxAgeSeconds()).isEqualTo(60);
    }
}
