package io.bucketwright.cosi.vendors;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.cosi.sanity.Sanity;
import io.bucketwright.cosi.sanity.SanityOptions;
import io.bucketwright.cosi.sanity.SanityReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The conformance suite finds what is known of each vendor's driver, and nothing else. */
@Execution(ExecutionMode.CONCURRENT)
class VendorSanityTest {

    @TempDir
    private Path folder = Path.of("/");

    @ParameterizedTest
    @EnumSource
    void theSuiteFindsTheQuirksOfTheDriver(Vendor vendor) {
        try (StubVendorDriver driver =
                new StubVendorDriver(vendor, vendor.driverName(), folder, VendorCluster.withEverything(vendor))) {
            SanityReport report = new Sanity(
                            new SanityOptions(
                                    driver.socket(),
                                    vendor.bucketParameters(),
                                    vendor.accessParameters(),
                                    Map.of(),
                                    false,
                                    List.of(),
                                    Duration.ofSeconds(10)),
                            _ -> {})
                    .run();

            assertThat(report.protocol()).isEqualTo("cosi.v1alpha1");
            assertThat(report.ids(Verdict.FAILED))
                    .as(report.outcomes().toString())
                    .isEqualTo(expected(vendor));
        }
    }

    private static Set<String> expected(Vendor vendor) {
        return switch (vendor) {
            case SAMPLE ->
                Set.of(
                        "delete-repeat",
                        "delete-concurrent",
                        "grant-connection",
                        "grant-separate-credentials",
                        "grant-concurrent",
                        "revoke-then-grant");
            case CEPH ->
                Set.of(
                        "create-repeat",
                        "create-concurrent-same-name",
                        "delete-repeat",
                        "delete-concurrent",
                        "grant-repeat",
                        "grant-connection",
                        "revoke-repeat",
                        "revoke-concurrent");
            case SCALITY -> Set.of("create-repeat", "create-concurrent-same-name", "grant-repeat");
            case DELL, VAST -> Set.of("grant-connection");
            case NUTANIX -> Set.of("delete-repeat", "delete-concurrent", "grant-repeat");
            case HETZNER ->
                Set.of(
                        "create-repeat",
                        "create-concurrent-same-name",
                        "delete-repeat",
                        "delete-concurrent",
                        "grant-connection",
                        "grant-separate-credentials",
                        "grant-concurrent",
                        "revoke-then-grant");
            case GARAGE -> Set.of("revoke-repeat", "revoke-concurrent");
            case CLOUDIAN ->
                Set.of(
                        "create-repeat",
                        "create-concurrent-same-name",
                        "delete-repeat",
                        "delete-concurrent",
                        "grant-repeat",
                        "revoke-repeat",
                        "revoke-concurrent");
            case IBM -> Set.of("delete-repeat", "delete-concurrent");
            case POWERSCALE -> Set.of("create-repeat", "grant-connection");
            case QUMULO, RUSTFS -> Set.of("revoke-no-context");
            case NOOBAA -> Set.of("create-repeat", "create-concurrent-same-name", "grant-repeat", "grant-connection");
            case IN_MEMORY_SAMPLE, SEAWEEDFS, LINODE, HPE, AZURE, VERSITYGW, BACKBLAZE, S3GW -> Set.of();
        };
    }
}
