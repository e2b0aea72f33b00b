package io.bucketwright.house;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that a newcomer reads first: it is short, and its table has the modules and packages that exist. */
class ModuleTableTest {

    private static final String PAGE = "docs/contributing/architecture.md";
    private static final int TWO_SCREENS = 100;

    /** A row: the module is the first of four columns, its packages the last. */
    private static final Pattern ROW =
            Pattern.compile("^\\| `([a-z0-9-]+)` \\|.+?\\|.+?\\|([^|]+)\\|$", Pattern.MULTILINE);

    private static final Pattern NAME = Pattern.compile("`(.+?)`");

    private static final Sources SOURCES = Sources.read();
    private static final String TEXT = Sources.text(SOURCES.root().resolve(PAGE));

    @Test
    void thePageFitsOnTwoScreens() {
        assertThat(TEXT.lines()).hasSizeLessThanOrEqualTo(TWO_SCREENS);
    }

    @Test
    void theTableHasEachModuleWithItsPackages() {
        Map<String, String> found = new TreeMap<>();
        SOURCES.modules("").forEach(module -> found.put(module, packages(module)));
        Map<String, String> table = new TreeMap<>();
        ROW.matcher(TEXT).results().forEach(row -> table.put(row.group(1), namesOf(row)));
        assertThat(table).as("modules and packages in the table of %s", PAGE).isEqualTo(found);
    }

    private static String namesOf(MatchResult row) {
        return NAME.matcher(row.group(2)).results().map(name -> name.group(1)).collect(joining(" "));
    }

    /** Without the package that contains all others: {@code cosi.sidecar.driver} of module cosi is sidecar.driver. */
    private static String packages(String module) {
        List<String> names = SOURCES.main()
                .filter(file -> file.module().equals(module))
                .map(SourceFile::packageName)
                .distinct()
                .toList();
        String first =
                names.stream().min(Comparator.comparingInt(String::length)).orElse("");
        String common = names.stream().allMatch(name -> (name + ".").startsWith(first + "."))
                ? first
                : first.substring(0, first.lastIndexOf('.'));
        return names.stream()
                .filter(name -> !name.equals(common))
                .map(name -> name.substring(common.length() + 1))
                .sorted()
                .collect(joining(" "));
    }
}
