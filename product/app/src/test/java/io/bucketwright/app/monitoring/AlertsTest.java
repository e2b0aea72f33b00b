package io.bucketwright.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.SourceTree;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an operator needs with each alert, and that its query names metrics which exist. */
class AlertsTest {

    private static final String CASES = SourceTree.read(Path.of("src/test/resources/alerts/alerts-test.yaml"));
    private static final String RUNBOOKS = SourceTree.read(Path.of("../../docs/monitoring.md"));

    @Test
    void eachAlertHasACaseThatFiresAndOneThatDoesNot() {
        assertThat(MetricReferences.alerts()).hasSizeGreaterThanOrEqualTo(10);
        assertThat(MetricReferences.alerts().keySet())
                .allSatisfy(alert -> assertThat(CASES)
                        .contains("- name: " + alert + " fires\n", "- name: " + alert + " does not fire\n"));
    }

    @Test
    void eachAlertHasASeverityADescriptionAndARunbook() {
        MetricReferences.alerts().forEach((name, rule) -> {
            assertThat(rule.get("labels"))
                    .as(name)
                    .isInstanceOfSatisfying(
                            Map.class,
                            labels -> assertThat(labels.get("severity")).isIn(Set.of("critical", "warning", "info")));
            assertThat(rule.get("annotations")).as(name).isInstanceOfSatisfying(Map.class, annotations -> {
                assertThat(String.valueOf(annotations.get("summary"))).hasSizeGreaterThan(10);
                assertThat(String.valueOf(annotations.get("description"))).endsWith(".");
                assertThat(annotations.get("runbook_url"))
                        .isEqualTo("docs/monitoring.md#" + name.toLowerCase(Locale.ROOT));
            });
            assertThat(RUNBOOKS).contains("### " + name + "\n");
        });
    }

    @Test
    void eachQueryNamesMetricsAndLabelsThatARealProcessHas() {
        MetricReferences.alerts()
                .forEach((name, rule) -> assertThat(MetricReferences.unknown(String.valueOf(rule.get("expr"))))
                        .as(name)
                        .isEmpty());
    }

    /** Two releases are two jobs, and compete for the Lease of the orphans and of the releaser. */
    @Test
    void processesThatShareALeaseHaveOneAlertWhateverTheirRelease() {
        assertThat(MetricReferences.alerts().get("BucketwrightNoLeader"))
                .extracting(rule -> String.valueOf(rule.get("expr")))
                .isEqualTo("max by (namespace, lease, serves) (bucketwright_leader) == 0");
    }

    /** A small release must not vanish in the numbers of a large one. */
    @Test
    void noAlertAddsUpSeveralReleases() {
        assertThat(MetricReferences.alerts())
                .allSatisfy((_, rule) -> assertThat(String.valueOf(rule.get("expr")))
                        .doesNotContainPattern("\\b(sum|max|min|avg|count)\\s*\\("));
    }

    /** While another release is scraped, absent() reports nothing. The Lease decides, not what its former leader served. */
    @Test
    void aRoleWhosePodsNoLongerExistHasAnAlert() {
        assertThat(MetricReferences.alerts().get("BucketwrightRoleAbsent"))
                .extracting(rule -> String.valueOf(rule.get("expr")))
                .isEqualTo("max by (namespace, lease, serves) (max_over_time(bucketwright_leader[1h]))"
                        + " unless on (namespace, lease) bucketwright_leader");
    }

    @Test
    void aMetricOrLabelThatNoProcessHasIsFound() {
        assertThat(MetricReferences.unknown("bucketwright_nothing > 0")).containsExactly("bucketwright_nothing");
        assertThat(MetricReferences.unknown("bucketwright_claims{namespace=\"a\",phase=\"b=c\"}"))
                .containsExactly("bucketwright_claims{namespace}");
        assertThat(MetricReferences.unknown("sum by (kind, colour) (bucketwright_claims)"))
                .containsExactly("by (colour)");
        assertThat(MetricReferences.unknown("rate(bucketwright_store_calls_seconds_bucket[5m])"))
                .isEmpty();
    }
}
