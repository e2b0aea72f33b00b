package io.bucketwright.store.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options whose values are JSON. */
final class RuleParserTest {

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
            assertThatThrownBy(() -> OptionJson.of("policy", text))
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining("levels");
        }
    }

    @Test
    void theLifecycleFormatOfRookIsParsed() {
        assertThat(Lifecycle.parse("""
                        {"Rules": [{"ID": "AbortIncompleteMultipartUploads", "Status": "Enabled", "Prefix": "",
                          "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1}}]}""").rules())
                .containsExactly(new Lifecycle.Rule(
                        Optional.of("AbortIncompleteMultipartUploads"),
                        true,
                        Lifecycle.Filter.prefix(""),
                        List.of(new Lifecycle.UploadAbort(Optional.of(1)))));
    }

    @Test
    void allFieldsOfALifecycleAreParsed() {
        Optional<Instant> date = Optional.of(Instant.parse("2030-01-01T00:00:00Z"));
        assertThat(Lifecycle.parse("""
                        [{"Filter": {"Tag": {"Key": "k", "Value": "v"}, "ObjectSizeGreaterThan": 5, "ObjectSizeLessThan": 9},
                          "Expiration": {"Date": "2030-01-01T00:00:00Z", "ExpiredObjectDeleteMarker": true},
                          "NoncurrentVersionExpiration": {"NoncurrentDays": 3, "NewerNoncurrentVersions": 2},
                          "Transitions": [{"Days": 30, "StorageClass": "GLACIER"}],
                          "NoncurrentVersionTransitions": [{"NoncurrentDays": 7, "StorageClass": "GLACIER"}]},
                         {"Status": "Disabled", "Prefix": "logs/"}]""").rules())
                .containsExactly(
                        new Lifecycle.Rule(
                                Optional.empty(),
                                true,
                                new Lifecycle.Filter(
                                        Optional.empty(),
                                        Optional.of(new Lifecycle.Tag("k", "v")),
                                        Optional.of(5),
                                        Optional.of(9)),
                                List.of(
                                        new Lifecycle.Expiration(Optional.empty(), date, Optional.of(true)),
                                        new Lifecycle.NoncurrentExpiration(Optional.of(3), Optional.of(2)),
                                        new Lifecycle.Transition(
                                                Optional.of(30), Optional.empty(), Optional.of("GLACIER")),
                                        new Lifecycle.NoncurrentTransition(Optional.of(7), Optional.of("GLACIER")))),
                        new Lifecycle.Rule(Optional.empty(), false, Lifecycle.Filter.prefix("logs/"), List.of()));
    }

    @Test
    void corsRulesAreParsed() {
        assertThat(Cors.parse("""
                        {"CORSRules": [{"AllowedMethods": ["GET", "PUT"], "AllowedOrigins": ["*"], "MaxAgeSeconds": 60}]}""").rules())
                .containsExactly(new Cors.Rule(
                        Optional.empty(), List.of(), List.of("GET", "PUT"), List.of("*"), List.of(), Optional.of(60)));
    }

    /** The same rules with other spaces change nothing. */
    @Test
    void rulesAreComparedByTheirValues() {
        assertThat(Lifecycle.parse("{\"Rules\": [ {\"Expiration\": {\"Days\": 1}} ] }"))
                .isEqualTo(Lifecycle.parse("[{\"Status\":\"Enabled\",\"Expiration\":{\"Days\":1}}]"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | is not JSON",
                "{} | must have at least one rule",
                "5 | must be an object",
                "{\"Rules\":[]} | must have at least one rule",
                "{\"Rules\":{}} | lifecycle.Rules must be a list",
                "{\"Rules\":[1]} | must be an object",
                "{\"Rulez\":[]} | lifecycle has the unknown field \"Rulez\"",
                "{\"rule\":[]} | unknown field \"rule\"",
                "[{\"Expiry\":1}] | unknown field \"Expiry\"",
                "[{\"Status\":\"On\"}] | lifecycle.Status \"On\" must be Enabled or Disabled",
                "[{\"Expiration\":{\"Days\":\"1\"}}] | Expiration.Days must be a whole number",
                "[{\"Expiration\":{\"Days\":-1}}] | Expiration.Days must not be negative",
                "{\"Rules\":[{\"Expiration\":{\"Date\":\"soon\"}}]} | lifecycle.Rules.Expiration.Date must be a time"
            })
    void unknownFieldsAndMalformedValuesAreRejected(String json, String reason) {
        assertThatThrownBy(() -> Lifecycle.parse(json))
                .isInstanceOf(Invalid.class)
                .hasMessageStartingWith("lifecycle")
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> Cors.parse(json)).isInstanceOf(Invalid.class).hasMessageStartingWith("cors");
    }

    @Test
    void anUnknownFieldOfCorsIsNamed() {
        assertThatThrownBy(() -> Cors.parse("[{\"Origin\": []}]"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("unknown field \"Origin\"");
    }
}
