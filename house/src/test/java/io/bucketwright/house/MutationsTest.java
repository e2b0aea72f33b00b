package io.bucketwright.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.house.Mutations.Edit;
import io.bucketwright.house.Mutations.Guard;
import io.bucketwright.house.Mutations.Mutation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code house/broken-rules} breaks the rules of testing.md, all of them and no others. */
class MutationsTest {

    private static final Path ROOT = Sources.read().root();

    @Test
    void eachRuleOfThePageCanBeBrokenAndNoOther() {
        assertThat(Mutations.guards(ROOT)).hasSizeGreaterThan(130);
        assertThat(Mutations.read(ROOT).keySet())
                .as("the tests in the tables of docs/contributing/testing.md, and those in %s", Mutations.FILE)
                .containsExactlyInAnyOrderElementsOf(
                        Mutations.guards(ROOT).stream().map(Guard::key).toList());
    }

    @Test
    void noTestIsBrokenInstead() {
        assertThat(Mutations.read(ROOT).values())
                .allSatisfy(mutation -> assertThat(mutation.edits())
                        .isNotEmpty()
                        .noneMatch(edit -> edit.file().contains("/src/test/")));
    }

    @Test
    void aBlockNamesATestAFileAndTexts() {
        Map<String, Mutation> read = Mutations.parse("""
                # a comment

                SomeContract.keeps run StoreIT
                @ a/A.java
                -one
                -  two
                +2
                -three
                +
                @ b.yaml
                -four

                SomeContract.keeps
                @ c
                -five
                """, Map.of("SomeContract.keeps#2", "A rule"));
        assertThat(read.values())
                .containsExactly(
                        new Mutation(
                                new Guard("SomeContract.keeps", 1, "a rule that testing.md does not have"),
                                "StoreIT",
                                List.of(
                                        new Edit("a/A.java", "one\n  two", "2"),
                                        new Edit("a/A.java", "three", ""),
                                        new Edit("b.yaml", "four", ""))),
                        new Mutation(
                                new Guard("SomeContract.keeps", 2, "A rule"),
                                "SomeContract",
                                List.of(new Edit("c", "five", ""))));
    }

    @Test
    void aTextThatDoesNotOccurOnceIsReported() {
        Edit edit = new Edit("A.java", "one", "two");
        assertThat(edit.apply("the one")).isEqualTo("the two");
        for (String text : List.of("not a thing", "one and one")) {
            assertThatThrownBy(() -> edit.apply(text)).hasMessageContaining("update " + Mutations.FILE);
        }
    }
}
