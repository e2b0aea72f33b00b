package io.bucketwright.store.s3.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.PrincipalName;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyDocumentTest {

    private static final PrincipalName ONE = new PrincipalName("bw-1");
    private static final PrincipalName ELEVEN = new PrincipalName("bw-11");

    private static final String OTHERS =
            "{\"Id\":\"x\",\"Statement\":{\"Sid\":\"a \\\"quoted\\\" \\n name\",\"Effect\":\"Deny\",\"Number\":1.50,\"No\":null,\"Yes\":true}}";

    @Test
    void aPolicyOfOthersKeepsItsMeaning() {
        String written = PolicyDocument.parse(OTHERS).json();

        assertThat(written)
                .isEqualTo("{\"Id\":\"x\",\"Statement\":[{\"Sid\":\"a \\\"quoted\\\" \\n name\",\"Effect\":\"Deny\","
                        + "\"Number\":1.50,\"No\":null,\"Yes\":true}]}");
        assertThat(PolicyDocument.parse(written).json()).isEqualTo(written);
    }

    @Test
    void aPrincipalIsReplacedAndRemovedWithoutTouchingTheOthers() {
        PolicyDocument policy = PolicyDocument.parse(OTHERS)
                .with(ONE, statements(ONE, AccessMode.READ_WRITE))
                .with(ELEVEN, statements(ELEVEN, AccessMode.READ_ONLY));

        PolicyDocument changed = PolicyDocument.parse(policy.json()).with(ONE, List.of());

        assertThat(changed.json())
                .contains("user/bw-11\"")
                .doesNotContain("user/bw-1\"")
                .contains("Deny");
        assertThat(changed.withoutPrincipals()).isEqualTo(PolicyDocument.parse(OTHERS));
        assertThat(changed.withOthers(PolicyDocument.EMPTY).json())
                .contains("bw-11")
                .doesNotContain("\"Id\"");
    }

    @Test
    void thePolicyOfPrincipalsAloneIsNoPolicyForOthers() {
        PolicyDocument policy = PolicyDocument.EMPTY.with(ONE, statements(ONE, AccessMode.READ_ONLY));

        assertThat(policy.isEmpty()).isFalse();
        assertThat(policy.withoutPrincipals().isEmpty()).isTrue();
        assertThat(policy.json()).startsWith("{\"Version\":\"2012-10-17\",\"Statement\":[");
    }

    @Test
    void whatAPrincipalMustNotDoIsDeniedByNameBecauseItOwnsTheObjectsThatItWrites() {
        String policy = statements(ONE, AccessMode.WRITE_ONLY).toString();

        assertThat(policy).doesNotContain("NotAction").doesNotContain("s3:*").doesNotContain("GetObjectAttributes");
        JsonNode denied = statements(ONE, AccessMode.WRITE_ONLY).stream()
                .filter(statement -> statement.path("Sid").asText().endsWith("/Others"))
                .findFirst()
                .orElseThrow();
        assertThat(denied.path("Effect").asText()).isEqualTo("Deny");
        assertThat(denied.path("Action").valueStream().map(JsonNode::asText))
                .contains("s3:GetObject", "s3:PutObjectAcl", "s3:DeleteObject")
                .doesNotContain("s3:PutObject");
    }

    private static List<JsonNode> statements(PrincipalName principal, AccessMode mode) {
        return new PrincipalStatements(new BucketName("photos"), principal).of(Access.of(mode));
    }
}
