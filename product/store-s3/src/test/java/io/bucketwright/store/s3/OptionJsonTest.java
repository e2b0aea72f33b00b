package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.LifecycleRule;

final class OptionJsonTest {

    @Test
    void anEmptyOptionIsInvalid() {
        assertThatThrownBy(() -> OptionJson.of("policy", " "))
                .isInstanceOf(Invalid.class)
                .hasMessage("policy is empty");
    }

    /** Of two fields with one name, the check and the store could each use another one. */
    @Test
    void twoFieldsWithOneNameAreInvalid() {
        String policy = """
                {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:PutBucketPolicy",
                  "Action": "s3:GetObject", "Resource": "arn:aws:s3:::photos/*"}]}""";
        assertThatThrownBy(() -> OptionJson.of("policy", policy))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("two fields with one name");
    }

    @Test
    void textWithManyLevelsIsInvalid() {
        for (String text :
                List.of("[".repeat(1000) + "]".repeat(1000), "{\"a\":".repeat(1000) + "1" + "}".repeat(1000))) {
            assertThatThrownBy(() -> OptionJson.parse("policy", text))
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining("levels");
        }
    }

    @Test
    void thePolicyThatWasCheckedIsSent() {
        assertThat(BucketPolicies.withId("""
                        { "Version": "2012-10-17", "Statement": [ {"Sid": "a\\u0022b", "Effect": "Allow"} ] }"""))
                .isEqualTo("{\"Id\":\"bucketwright.io/option\",\"Version\":\"2012-10-17\",\"Statement\":"
                        + "[{\"Sid\":\"a\\\"b\",\"Effect\":\"Allow\"}]}");
        assertThat(BucketPolicies.withId("{}")).isEqualTo("{\"Id\":\"bucketwright.io/option\"}");
    }

    @Test
    void theLifecycleFormatOfRookIsParsed() {
        LifecycleRule rule = LifecycleJson.rules("""
                {"Rules": [{"ID": "AbortIncompleteMultipartUploads", "Status": "Enabled", "Prefix": "",
                  "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1}}]}""").getFirst();
        assertThat(rule.id()).isEqualTo("AbortIncompleteMultipartUploads");
        assertThat(rule.abortIncompleteMultipartUpload().daysAfterInitiation()).isEqualTo(1);
        assertThat(rule.filter().prefix()).isEmpty();
    }

    @Test
    void allFieldsOfALifecycleAreParsed() {
        LifecycleRule rule = LifecycleJson.rules("""
                [{"Filter": {"Tag": {"Key": "k", "Value": "v"}}, "Expiration": {"Date": "2030-01-01T00:00:00Z"},
                  "NoncurrentVersionExpiration": {"NoncurrentDays": 3, "NewerNoncurrentVersions": 2},
                  "Transitions": [{"Days": 30, "StorageClass": "GLACIER"}],
                  "NoncurrentVersionTransitions": [{"NoncurrentDays": 7, "StorageClass": "GLACIER"}]}]""").getFirst();
        assertThat(rule.statusAsString()).isEqualTo("Enabled");
        assertThat(rule.filter().tag().key()).isEqualTo("k");
        assertThat(rule.filter().prefix()).isNull();
        assertThat(rule.expiration().date()).hasToString("2030-01-01T00:00:00Z");
        assertThat(rule.noncurrentVersionExpiration().newerNoncurrentVersions()).isEqualTo(2);
        assertThat(rule.transitions().getFirst().days()).isEqualTo(30);
        assertThat(rule.noncurrentVersionTransitions().getFirst().noncurrentDays())
                .isEqualTo(7);
    }

    @Test
    void corsRulesAreParsed() {
        CORSRule rule = CorsJson.configuration("""
                {"CORSRules": [{"AllowedMethods": ["GET", "PUT"], "AllowedOrigins": ["*"], "MaxAgeSeconds": 60}]}""").corsRules().getFirst();
        assertThat(rule.allowedMethods()).containsExactly("GET", "PUT");
        assertThat(rule.maxAgeSeconds()).isEqualTo(60);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{}",
                "{\"Rules\":[]}",
                "{\"Rules\":{}}",
                "{\"Rules\":[1]}",
                "{\"Rulez\":[]}",
                "{\"Rules\":[{\"Expiry\":1}]}",
                "{\"Rules\":[{\"Expiration\":{\"Days\":\"1\"}}]}",
                "{\"Rules\":[{\"Expiration\":{\"Date\":\"soon\"}}]}"
            })
    void unknownFieldsAndMalformedValuesAreRejected(String json) {
        assertThatThrownBy(() -> LifecycleJson.rules(json)).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> CorsJson.configuration(json)).isInstanceOf(Invalid.class);
    }
}
