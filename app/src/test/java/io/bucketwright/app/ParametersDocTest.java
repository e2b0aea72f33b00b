package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.store.Stores;
import io.bucketwright.store.options.OptionKey;
import io.bucketwright.store.parameters.ParameterSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/parameters.md tells of every parameter and option what the code says of it. */
class ParametersDocTest {

    private static final Path PAGE = Path.of("../docs/parameters.md");

    static Stream<ParameterSchema> schemas() {
        Stores stores = Stores.installed();
        return Stream.of(
                ClassParameters.schema(),
                stores.factory("s3").parameters(),
                stores.factory("azure").parameters(),
                stores.factory("gcs").parameters(),
                stores.factory("none").parameters());
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void thePageHasTheTableThatChecksTheClasses(ParameterSchema schema) throws IOException {
        String page = Files.readString(PAGE);
        assertThat(schema.all())
                .allSatisfy(parameter -> assertThat(page)
                        .contains("| `" + parameter.name() + "` | "
                                + parameter.description().replace("|", "\\|") + " |"));
        assertThat(page).as("paste this into the page").contains(schema.markdown());
    }

    @Test
    void thePageHasEverySpellingOfEveryOption() throws IOException {
        String page = Files.readString(PAGE);
        for (OptionKey option : OptionKey.values()) {
            assertThat(option.keys()).allSatisfy(key -> assertThat(page).contains("`" + key + "`"));
        }
    }
}
