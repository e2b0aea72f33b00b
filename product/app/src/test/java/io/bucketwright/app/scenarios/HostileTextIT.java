package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Text that means something to a shell, a path, a terminal or a parser, in every field that people can fill. */
class HostileTextIT extends ScenarioTestBase {

    private static final List<String> HOSTILE = List.of(
            "../../etc/passwd",
            "a/../b",
            "..",
            "two\nlines",
            "bell\u0007and\u001b[31mred",
            "ünïcödé-\u202egnp",
            "line\u2028paragraph\u2029",
            "\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00",
            "${namespace}",
            "$(reboot)",
            "a b",
            "%2e%2e%2f",
            "\"quoted\"",
            "-rf",
            "x".repeat(20_000) + "!");

    @Test
    void hostileTextInAClaimIsRefusedWithAReasonOnOneLineAndNothingIsMade() {
        try (InstalledCommand controller = scenario.controller("one")) {
            String storageClass =
                    scenario.s3Class("s3", Map.of("allowedOptions", "versioning,tags,prefix,lifecycle,cors,cannedAcl"));
            Map<String, ObjectBucketClaimSpec.Builder> claims = hostileClaims(storageClass);
            claims.entrySet().removeIf(entry -> isRefusedByTheServer(entry.getKey(), entry.getValue()));
            assertThat(claims).hasSizeGreaterThan(HOSTILE.size() * 3);
            assertAllRejected(claims.keySet(), "Invalid: ");
            assertThat(controller.err().codePoints().filter(it -> it != '\n'))
                    .as("the log")
                    .noneMatch(HostileTextIT::isUnsafeForTerminals);
            assertStillBinds(storageClass);
        }
    }

    @Test
    void hostileTextInAClassIsReportedOnItsClaimsAndNothingIsMade() {
        scenario.serve();
        Map<String, Map<String, String>> classes = new LinkedHashMap<>();
        List<String> parameters = List.of("""
                endpoint bucketName reclaimPolicy onNotEmpty allowedOptions secretName secretNamespace renameKeys
                rotationOverlap accessMode caBundle maxSize adoptUntagged
                """.strip().split("\\s+", -1));
        for (String parameter : parameters) {
            classes.put(parameter.toLowerCase(Locale.ROOT) + "-lines", Map.of(parameter, "two\nlines\u001b[31m"));
            classes.put(parameter.toLowerCase(Locale.ROOT) + "-path", Map.of(parameter, "../../etc/passwd"));
        }
        classes.put("unknown", Map.of("no\nsuch", "thing"));
        classes.put("file", Map.of("endpoint", "file:///etc/passwd"));
        classes.forEach((name, more) -> {
            String storageClass = scenario.s3Class(name, more);
            scenario.claim(name, Scenario.newBucket(storageClass));
        });
        assertAllRejected(classes.keySet(), "InvalidClass: ");
        assertStillBinds(scenario.s3Class("good"));
    }

    @Test
    void labelsAndAnnotationsOfATenantCannotForgeTheOwnershipTagNorBreakTheBinding(TestCluster cluster) {
        scenario.serve();
        String storageClass = scenario.s3Class("s3", Map.of("labelsAsTags", "true", "allowedOptions", "tags"));
        ObjectBucketClaim claim = scenario.claimOf("mine", Scenario.newBucket(storageClass));
        claim.getMetadata()
                .setLabels(Map.of(
                        "bucketwright.io/owner", "somebody-else",
                        "bucketwright.io/cluster", "another",
                        "bucket-provisioner", "not-us",
                        "team", "tax"));
        claim.getMetadata()
                .setAnnotations(Map.of(
                        "bucketwright.io/rotate-at", "never\n\u001b[31mever",
                        "bucketwright.io/intent", "{\"reclaimPolicy\": \"Delete\"}",
                        "example.com/text", "two\nlines \u202e \uD83D\uDE00"));
        scenario.admin().resource(claim).create();
        assertThat(scenario.awaitReason("mine", "InvalidRotateAt").codePoints())
                .noneMatch(HostileTextIT::isUnsafeForTerminals);
        scenario.awaitSettled();
        Map<String, String> tags = scenario.store().tagsOf(scenario.bucket("mine"));
        assertThat(tags)
                .containsEntry("team", "tax")
                .containsEntry(
                        "bucketwright.io/owner",
                        scenario.get("mine").getMetadata().getUid());
        assertThat(tags.values()).doesNotContain("another", "somebody-else");
        assertThat(scenario.works("mine")).isTrue();
        scenario.assertAllCanBeDeleted();
    }

    /** Each claim has failed with that reason, in a message of one short line, and nothing was created. */
    private void assertAllRejected(Set<String> claims, String reason) {
        claims.forEach(name -> Scenario.await(name + " to be rejected")
                .until(() -> !scenario.ready(name).isEmpty()));
        scenario.awaitSettled();
        SoftAssertions soft = new SoftAssertions();
        for (ObjectBucketClaim claim : scenario.claims()) {
            String name = claim.getMetadata().getName();
            String ready = scenario.ready(name);
            soft.assertThat(claim.phase()).as(name + " " + ready).isEqualTo(Phase.FAILED);
            soft.assertThat(ready).as(name).startsWith(reason).hasSizeLessThan(600);
            soft.assertThat(ready.codePoints()).as(name + " " + ready).noneMatch(HostileTextIT::isUnsafeForTerminals);
        }
        soft.assertAll();
        scenario.assertNothingIsLeft();
        scenario.deleteAll();
    }

    private static Map<String, ObjectBucketClaimSpec.Builder> hostileClaims(String storageClass) {
        Map<String, ObjectBucketClaimSpec.Builder> claims = new TreeMap<>();
        for (int i = 0; i < HOSTILE.size(); i++) {
            String text = HOSTILE.get(i);
            claims.put("generate-" + i, Scenario.ofClass(storageClass).generateBucketName(text));
            claims.put("bucket-" + i, Scenario.ofClass(storageClass).bucketName(text));
            claims.put(
                    "acl-" + i,
                    Scenario.ofClass(storageClass).generateBucketName("p").cannedBucketACL(text));
            claims.put("key-" + i, photos(storageClass, Map.of(text, "1")));
            for (String option :
                    List.of("maxObjects", "maxSize", "versioning", "accessMode", "renameKeys", "lifecycle", "cors")) {
                claims.put(
                        "value-" + option.toLowerCase(Locale.ROOT) + "-" + i,
                        photos(storageClass, Map.of(option, text)));
            }
        }
        List<String> notTheirs = List.of(
                "endpoint iamEndpoint secretName secretNamespace AWS_ACCESS_KEY_ID bucketName policy".split(" ", -1));
        for (int i = 0; i < notTheirs.size(); i++) {
            claims.put("theirs-" + i, photos(storageClass, Map.of(notTheirs.get(i), "http://evil.example")));
        }
        claims.put("negative", photos(storageClass, Map.of("maxObjects", "-1")));
        claims.put("huge", photos(storageClass, Map.of("maxObjects", "99999999999999999999999")));
        claims.put("reserved-key", photos(storageClass, Map.of("renameKeys", "BUCKET_NAME=../x")));
        return claims;
    }

    private static ObjectBucketClaimSpec.Builder photos(String storageClass, Map<String, String> options) {
        return Scenario.newBucket(storageClass).additionalConfig(options);
    }

    /** What the schema refuses never becomes a claim. */
    private boolean isRefusedByTheServer(String name, ObjectBucketClaimSpec.Builder spec) {
        try {
            scenario.claim(name, spec);
            return false;
        } catch (KubernetesClientException e) {
            assertThat(e.getCode()).as(name).isEqualTo(422);
            return true;
        }
    }

    /** Control characters, line breaks, and characters that change the direction of text. */
    private static boolean isUnsafeForTerminals(int point) {
        return Set.of(Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR)
                .contains((byte) Character.getType(point));
    }

    private void assertStillBinds(String storageClass) {
        scenario.bind("good", Scenario.newBucket(storageClass));
        assertThat(scenario.works("good")).isTrue();
        scenario.assertAllCanBeDeleted();
    }
}
