package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.Stores;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.options.Capability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of docs/stores.md has what the stores declare, and the contract has tested what they declare. */
class StoresDocTest {

    private static final Path PAGE = Path.of("../../docs/stores.md");

    private static final Map<String, String> S3 = Map.of("endpoint", "http://127.0.0.1:1", "region", "us-east-1");

    /**
     * A column of the table.
     *
     * @param contracts the classes that run the contract on such stores; each may lack some capabilities
     */
    record Column(String title, String store, Map<String, String> parameters, String module, List<String> contracts) {

        private Set<Capability> declared() {
            StoreFactory factory = Stores.installed().factory(store);
            try (BucketStore opened =
                    factory.open(factory.parameters().parse(parameters), new AdministratorSecret(SECRET))) {
                return opened.capabilities();
            }
        }

        @Override
        public String toString() {
            return title;
        }
    }

    private static final Map<String, SecretValue> SECRET = Map.of(
            "AWS_ACCESS_KEY_ID", SecretValue.of("id"),
            "AWS_SECRET_ACCESS_KEY", SecretValue.of("secret"),
            "AZURE_STORAGE_KEY", SecretValue.of("c2VjcmV0"));

    static Stream<Column> columns() {
        return Stream.of(
                new Column(
                        "S3, `identity: iam`",
                        "s3",
                        with(S3, "iam"),
                        "store-s3",
                        List.of("VersityGatewayIT", "MotoIT")),
                new Column("S3, `identity: minio`", "s3", with(S3, "minio"), "store-s3", List.of("MinioIT")),
                new Column("S3, `identity: ceph`", "s3", with(S3, "ceph"), "store-s3", List.of("CephGatewayIT")),
                new Column("Azure", "azure", Map.of("storageAccount", "account"), "store-azure", List.of("AzuriteIT")),
                new Column(
                        "Google Cloud Storage",
                        "gcs",
                        Map.of("credentials", "ambient", "project", "project"),
                        "store-gcs",
                        List.of("GcsIT")));
    }

    private static Map<String, String> with(Map<String, String> parameters, String identity) {
        return Stream.concat(parameters.entrySet().stream(), Stream.of(Map.entry("identity", identity)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Test
    void thePageHasTheTable() throws IOException {
        List<Column> columns = columns().toList();
        StringBuilder table = new StringBuilder("| capability |");
        columns.forEach(column -> table.append(" ").append(column.title()).append(" |"));
        table.append("\n|---|").append("---|".repeat(columns.size())).append("\n");
        List<Set<Capability>> declared = columns.stream().map(Column::declared).toList();
        for (Capability capability : Capability.values()) {
            table.append("| ").append(text(capability)).append(" |");
            declared.forEach(all -> table.append(all.contains(capability) ? " yes |" : " no |"));
            table.append("\n");
        }
        assertThat(Files.readString(PAGE)).as("paste this into the page").contains(table);
    }

    @ParameterizedTest
    @MethodSource("columns")
    void theContractHasTestedWhatTheTableSays(Column column) throws IOException {
        Set<Capability> tested = EnumSet.noneOf(Capability.class);
        for (String contract : column.contracts()) {
            Path file = Path.of("..", column.module(), "target", "contract", contract + ".txt");
            assumeTrue(Files.exists(file), contract + " did not run in this build");
            Files.readAllLines(file).forEach(line -> tested.add(Capability.valueOf(line)));
        }
        assertThat(tested).isEqualTo(column.declared());
    }

    private static String text(Capability capability) {
        return switch (capability) {
            case ROTATE -> "rotation with an overlap";
            case ERASE -> "reclaim policy Erase";
            case SUSPEND -> "reclaim policy Suspend";
            case RELEASE -> "release and adoption";
            case LIST -> "`bucket list`, `claim adopt --orphaned` and `--from-cluster`";
            case USAGE -> "usage metrics";
            case ACCESS -> "changes of `accessMode`, and of `prefix` where supported";
            case ACTIONS -> "`policyActions` of COSI";
            case WRITE_ONLY -> "`accessMode: WriteOnly`";
            case QUOTA -> "`maxSize`, `maxObjects`";
            default -> "`" + capability.text() + "`";
        };
    }
}
