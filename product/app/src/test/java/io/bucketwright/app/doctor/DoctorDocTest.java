package io.bucketwright.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.SourceTree;
import io.bucketwright.app.doctor.observation.CheckName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/troubleshooting.md has every reason of the doctor, and no reason of a controller that does not exist. */
class DoctorDocTest {

    private static final Pattern REASON = Pattern.compile("\"([A-Z][a-z]+([A-Z][a-z]+)+)\"");
    private static final Pattern QUOTED = Pattern.compile("`([A-Z][a-z]+([A-Z]+[a-z]+)+)`");

    /** Kinds and words in quotation marks that are not reasons. */
    private static final Set<String> NO_REASONS = Set.of("""
            StorageClass BucketClass BucketAccessClass CustomResourceDefinition PersistentVolume DaemonSet
            ObjectBucket BucketAccess BucketClaims ServiceAccount BucketRequests ObjectBucketClaims NooBaa
            WaitForFirstConsumer WaitingForAccessRequest
            """.strip().split("\\s+", -1));

    @Test
    void theTableHasEveryReason() throws IOException {
        Set<String> reasons = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java/io/bucketwright/app/doctor"))) {
            files.filter(file -> file.toString().contains("/checks/") || file.endsWith("Finding.java"))
                    .filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> reasons.addAll(all(REASON, SourceTree.read(file))));
        }
        reasons.removeAll(NO_REASONS);
        assertThat(reasons).hasSizeGreaterThan(25);
        Set<String> documented = rows().stream()
                .map(row -> row.split("\\|", -1)[2])
                .flatMap(cell -> all(QUOTED, cell).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(reasons);
    }

    @Test
    void theTableHasEveryCheck() {
        assertThat(rows().stream().map(row -> row.split("\\|", -1)[1].strip()).filter(check -> !check.equals("all")))
                .containsAll(Arrays.stream(CheckName.values())
                        .map(CheckName::toString)
                        .toList());
    }

    @Test
    void theSymptomsNameReasonsThatExist() {
        String symptoms = page().substring(page().indexOf("## Symptoms"));
        Set<String> known =
                new TreeSet<>(SourceTree.read(Path.of("../../dev/devtools/src/test/resources/public-surface.txt"))
                        .lines()
                        .toList());
        // Answers of S3, and what kubectl shows.
        known.addAll(List.of("AccessDenied", "ContainerCreating"));
        assertThat(known).containsAll(all(QUOTED, symptoms));
    }

    private static List<String> rows() {
        String section = page().substring(page().indexOf("### Checks and reasons"), page().indexOf("### JSON output"));
        return section.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| check"))
                .toList();
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String page() {
        return SourceTree.read(Path.of("../../docs/troubleshooting.md"));
    }
}
