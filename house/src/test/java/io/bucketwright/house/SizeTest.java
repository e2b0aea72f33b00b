package io.bucketwright.house;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The product does not grow unnoticed. */
class SizeTest {

    private static final Sources SOURCES = Sources.read();
    private static final Size SIZE = Size.of(SOURCES);

    @BeforeAll
    static void print() {
        System.out.print(House.table(SOURCES));
    }

    @Test
    void theProductDoesNotGrowWithoutAReason() {
        assertSize("main lines of the product", "product.main.lines", SIZE.product(), SIZE.allowedProduct());
    }

    @Test
    void theTestsDoNotGrowWithoutAReason() {
        assertSize("lines of tests", "test.lines", SIZE.tests(), SIZE.allowedTests());
    }

    private static void assertSize(String what, String key, long lines, long allowed) {
        assertThat(lines)
                .as(
                        "%s. First look for what can be deleted. If the change needs the lines, write %s = %d in %s and the"
                                + " reason in the message of the same commit",
                        what, key, lines, Size.FILE)
                .isLessThanOrEqualTo(allowed);
    }

    @Test
    void theModulesOfTheProductAreInItsFolder() {
        assertThat(SOURCES.modules("product/"))
                .contains("store", "runtime", "app")
                .doesNotContain("house", "testing");
        assertThat(SOURCES.modules("")).doesNotHaveDuplicates();
    }

    /** A list that names what no longer exists counts too little. */
    @Test
    void theListedPackagesExist() {
        Set<String> packages = SOURCES.main().map(SourceFile::packageName).collect(toSet());
        assertThat(Stream.of("product.tools", "product.cosi-2020")
                        .flatMap(SizeTest::words)
                        .filter(name -> !packages.contains("io.bucketwright." + name)))
                .as("packages in %s that no longer exist", Size.FILE)
                .isEmpty();
    }

    private static Stream<String> words(String key) {
        return Size.words(SOURCES.properties(Size.FILE), key).stream();
    }

    @Test
    void theClassesOfTheWalksExist() {
        assertThat(Walk.FILES.values().stream()
                        .flatMap(file ->
                                Walk.of(SOURCES, file).missing().stream().map(entry -> entry + " in " + file)))
                .as("entries of walks that name no class, or more than one")
                .isEmpty();
    }
}
