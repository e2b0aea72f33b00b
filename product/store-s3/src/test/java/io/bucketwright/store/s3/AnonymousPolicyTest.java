package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.s3.AnonymousPolicy.Author;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AnonymousPolicyTest {

    private static final String BY_HAND =
            "{\"Sid\":\"Mine\",\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\","
                    + "\"Resource\":\"arn:aws:s3:::photos/*\"}";

    private final AnonymousPolicy policy = new AnonymousPolicy("aws", new BucketName("photos"));

    @ParameterizedTest
    @EnumSource(value = AnonymousAccess.class, mode = EnumSource.Mode.EXCLUDE, names = "PRIVATE")
    void aGeneratedPolicyIsRecognizedWhateverItsForm(AnonymousAccess access) {
        String document = policy.document(access);
        assertThat(policy.author(document)).isEqualTo(Author.BUCKETWRIGHT);
        String lists = document.replace("\"Principal\":\"*\"", "\"Principal\":{\"AWS\":[\"*\"]}");
        assertThat(policy.author(lists)).isEqualTo(Author.BUCKETWRIGHT);
        String strings = document.replaceAll("\\[(\"[^\"]*\")]", "$1").replace("\"*\",", "{\"AWS\":\"*\"},");
        assertThat(strings).contains("\"Action\":\"s3:", "{\"AWS\":\"*\"}");
        assertThat(policy.author(strings)).isEqualTo(Author.BUCKETWRIGHT);
        assertThat(policy.author(strings.replaceAll("\"Id\":\"[^\"]*\",", "")))
                .as("an earlier version set no Id")
                .isEqualTo(Author.BUCKETWRIGHT);
        assertThat(policy.author(strings.replaceAll("\"S?[iI]d\":\"[^\"]*\",", "")))
                .as("the store drops all ids")
                .isEqualTo(Author.BUCKETWRIGHT);
        assertThat(policy.author(strings.replace("\"Id\"", "\"ID\"").replaceAll("\"Sid\":\"[^\"]*\",", "")))
                .isEqualTo(Author.BUCKETWRIGHT);
    }

    @Test
    void oneStatementNeedsNoList() {
        String one = policy.document(AnonymousAccess.WRITE_ONLY)
                .replace("\"Statement\":[", "\"Statement\":")
                .replace("}]}", "}}");
        assertThat(policy.author(one)).isEqualTo(Author.BUCKETWRIGHT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"Statement\":[]}",
                "{\"Id\":\"mine\",\"Statement\":[" + BY_HAND + "]}",
                "{\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\","
                        + "\"Resource\":\"arn:aws:s3:::photos/public/*\"}}",
                "{\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\","
                        + "\"Resource\":\"arn:aws:s3:::photos/*\"}]}",
                "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\","
                        + "\"Resource\":\"arn:aws:s3:::photos/*\",\"Condition\":{\"Bool\":{\"aws:SecureTransport\":true}}}]}",
                "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"1234\"},\"Action\":\"s3:GetObject\","
                        + "\"Resource\":\"arn:aws:s3:::photos/*\"}]}",
                "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":{\"Service\":\"*\"},\"Action\":\"s3:GetObject\","
                        + "\"Resource\":\"arn:aws:s3:::photos/*\"}]}",
            })
    void thePolicyOfOthersIsNotRecognized(String byHand) {
        assertThat(policy.author(byHand)).isEqualTo(Author.OTHERS);
    }

    @Test
    void statementsThatOthersAddedAreNoticed() {
        String both = policy.document(AnonymousAccess.READ_ONLY).replace("]}]}", "]}," + BY_HAND + "]}");
        assertThat(both).contains("Mine");
        assertThat(policy.author(both)).isEqualTo(Author.BOTH);
    }
}
