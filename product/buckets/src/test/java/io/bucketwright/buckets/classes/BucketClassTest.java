package io.bucketwright.buckets.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.OwningUser;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketClassTest {

    private static BucketClass read(Map<String, String> parameters, String field) {
        return BucketClass.read(new BucketClassRef("fast", "uid", parameters), field);
    }

    @ParameterizedTest
    @CsvSource({
        "'', Delete, DELETE",
        "'', Retain, RETAIN",
        "Retain, Delete, RETAIN",
        "Erase, Delete, ERASE",
        "Suspend, Delete, SUSPEND",
        "Suspend, Retain, SUSPEND",
        "Retain, Retain, RETAIN",
        "delete, Delete, DELETE"
    })
    void theParameterWinsOverTheField(String parameter, String field, ReclaimPolicy policy) {
        assertThat(read(Map.of("reclaimPolicy", parameter), field).reclaimPolicy())
                .isEqualTo(policy);
    }

    @ParameterizedTest
    @CsvSource({"Delete", "Erase"})
    void theParameterMustNotContradictTheRetainOfTheField(String parameter) {
        assertThatThrownBy(() -> read(Map.of("reclaimPolicy", parameter), "Retain"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("reclaimPolicy Retain");
    }

    @ParameterizedTest
    @CsvSource({
        "onNotEmpty, maybe",
        "reclaimPolicy, Recycle",
        "bucketName, a/b/c",
        "bucketName, photos*",
        "adopt, a/b",
        "adopt, a?b",
        "allowedNamespaces, A_B",
        "allowedBucketNames, A_B",
        "allowedBucketNames, ${namespace}-*",
        "allowedBucketNames, *${namespace}*",
        "namePrefix, ${namespace}-",
        "namePrefix, ${namespace}",
        "namePrefix, 'a.,b.'",
        "namePrefix, a*",
        "namePrefix, .a",
        "namePrefix, ${name}.",
        "allowedOptions, everything",
        "renameKeys, NOSUCHKEY=X",
        "rotationOverlap, soon",
        "accessMode, none",
        "labelsAsTags, perhaps",
        "secretName, alone",
        "maxSize, huge"
    })
    void anInvalidValueIsRejectedWithTheNameOfTheParameter(String parameter, String value) {
        assertThatThrownBy(() -> read(Map.of(parameter, value), "Delete"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining(parameter);
    }

    @Test
    void existingBucketsMayHaveNamesThatNewOnesCannotHave() {
        assertThat(read(Map.of("bucketName", "My_Bucket"), "Delete").existingBucket())
                .contains(new BucketName("My_Bucket"));
        BucketClass adopting = read(Map.of("adopt", "${namespace}_*,Photos", "adoptUntagged", "true"), "Delete");
        assertThat(adopting.adopts("team_logs", "team")).isTrue();
        assertThat(adopting.adopts("team_logs", "tea")).isFalse();
        assertThat(adopting.adopts("Photos", "team")).isTrue();
        assertThat(adopting.adopts("photos", "team")).as("case matters").isFalse();
    }

    @Test
    void anEmptyBucketNameMeansANewBucket() {
        assertThat(read(Map.of("bucketName", ""), "Delete").existingBucket())
                .as("Rook and the library differ here")
                .isEmpty();
    }

    @Test
    void durationsAreWrittenWithUnits() {
        assertThat(read(Map.of("rotationOverlap", "1h30m"), "Delete").rotationOverlap())
                .isEqualTo(Duration.ofMinutes(90));
        assertThat(read(Map.of(), "Delete").rotationOverlap()).isEqualTo(Duration.ofHours(24));
    }

    @ParameterizedTest
    @CsvSource({
        "photos-*, photos-1, team, true",
        "photos-*, videos-1, team, false",
        "${namespace}-*, team-1, team, true",
        "${namespace}-*, other-1, team, false",
        "'a-1, b-1', b-1, team, true",
        "'', anything, team, false"
    })
    void patternsMatchWholeNamesForANamespace(String patterns, String name, String namespace, boolean matches) {
        assertThat(NamePatterns.parse(patterns).match(name, namespace)).isEqualTo(matches);
    }

    @Test
    void orphansAreAdoptedOnlyWithAListOfBuckets() {
        assertThat(read(Map.of("adopt", "*"), "Delete").adoptsOrphans()).isFalse();
        assertThat(read(Map.of("adopt", "*", "adoptOrphans", "true"), "Delete").adoptsOrphans())
                .isTrue();
        assertThatThrownBy(() -> read(Map.of("adoptOrphans", "true"), "Delete"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("adoptOrphans");
        assertThatThrownBy(() -> read(
                        Map.of("adopt", "${namespace}-*", "adoptOrphans", "true", "adoptFrom", "AnyNamespace"),
                        "Delete"))
                .isInstanceOf(Invalid.class);
    }

    @ParameterizedTest
    @CsvSource({
        "${namespace}-*, false",
        "*-${namespace}, false",
        "*.${namespace}.*, false",
        "x-${namespace}-*, false",
        "${namespace}.${namespace}.*, false",
        "${namespace}.*, true",
        "*.${namespace}, true",
        "logs-${namespace}, true",
        "logs-${namespace}-x, true",
        "photo-*, true"
    })
    void withoutTheOwnershipTagAPatternMustSeparateNamespacesWithADot(String pattern, boolean allowed) {
        for (Map<String, String> more : List.of(Map.of("adoptUntagged", "true"), Map.of("adoptFrom", "AnyNamespace"))) {
            Map<String, String> parameters = new HashMap<>(more);
            parameters.put("adopt", pattern);
            if (allowed) {
                assertThat(read(parameters, "Delete").adopts("x", "y")).isFalse();
            } else {
                assertThatThrownBy(() -> read(parameters, "Delete"))
                        .isInstanceOf(Invalid.class)
                        .hasMessageContaining(pattern);
            }
        }
        assertThat(read(Map.of("adopt", pattern), "Delete").adopts("x", "y"))
                .as("the ownership tag separates the namespaces")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "alice|alice|team|true",
                "alice|bob|team|false",
                "${namespace}.*|team.app|team|true",
                "${namespace}.*|team.app|other|false",
                "''|alice|team|false"
            })
    void aClaimNamesOnlyOwnersThatTheClassAllows(String allowed, String user, String namespace, boolean accepted) {
        BucketClass read = read(Map.of("allowedBucketOwners", allowed), "Delete");
        if (accepted) {
            read.requireBucketOwner(new OwningUser(user), namespace);
        } else {
            assertThatThrownBy(() -> read.requireBucketOwner(new OwningUser(user), namespace))
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining("allowedBucketOwners");
        }
    }

    @Test
    void anOwnerPatternMustSeparateNamespaces() {
        assertThatThrownBy(() -> read(Map.of("allowedBucketOwners", "${namespace}-*"), "Delete"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("allowedBucketOwners");
    }

    @Test
    void theTableDocumentsEveryParameter() {
        assertThat(ClassParameters.schema().markdown())
                .contains("`reclaimPolicy`", "`onNotEmpty`", "`adopt`", "`rotationOverlap`", "`secretNamespace`");
    }
}
