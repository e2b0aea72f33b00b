package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.store.Stores;
import io.bucketwright.store.options.BucketOption.OptionKey;
import io.bucketwright.store.parameters.ParameterSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/reference/parameters.md has every parameter and option as the code reads it. */
class ParametersPageTest {

    private static final GeneratedPage PAGE = GeneratedPage.of("parameters.md");

    static Stream<String> sections() {
        return Stream.concat(Stream.of("class"), Stores.installed().names().stream());
    }

    @ParameterizedTest
    @MethodSource("sections")
    void thePageHasTheTableThatChecksTheClasses(String section) {
        ParameterSchema schema = section.equals("class")
                ? ClassParameters.schema()
                : Stores.installed().factory(section).parameters();
        PAGE.assertSection(section, schema.markdown());
    }

    @Test
    void thePageHasEverySpellingOfEveryOption() throws IOException {
        String page = Files.readString(PAGE.path());
        for (OptionKey option : OptionKey.values()) {
            assertThat(option.keys()).allSatisfy(key -> assertThat(page).contains("`" + key + "`"));
        }
    }
}
