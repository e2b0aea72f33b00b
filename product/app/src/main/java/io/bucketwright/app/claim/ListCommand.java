package io.bucketwright.app.claim;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.options.OutputOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright claim list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists ObjectBucketClaims and BucketClaims (objectstorage.k8s.io), and their buckets.")
final class ListCommand extends BaseCommand {

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "List claims of all namespaces.")
    private boolean allNamespaces;

    @Mixin
    private OutputOption output = new OutputOption("Output format.");

    @Override
    public Integer call() throws JsonProcessingException {
        try (ClaimClient claims = scope.open()) {
            ReleasedClaims released = ReleasedClaims.of(claims, allNamespaces ? "" : scope.namespace());
            List<ClaimRow> rows = new ArrayList<>(objectBucketClaims(claims, released));
            released.rows(Instant.now()).forEach(rows::add);
            rows.sort(Comparator.comparing(ClaimRow::namespace).thenComparing(ClaimRow::name));
            switch (output.value()) {
                case JSON -> printJson(rows);
                case TEXT -> print(rows);
            }
            return 0;
        }
    }

    /** A cluster may have only the kinds of COSI. */
    private List<ClaimRow> objectBucketClaims(ClaimClient claims, ReleasedClaims released) {
        List<ObjectBucketClaim> found;
        if (!released.claims().isEmpty()) {
            found = claims.all(ObjectBucketClaim.class, allNamespaces ? "" : scope.namespace());
        } else {
            found = allNamespaces ? claims.all() : claims.in(scope.namespace());
        }
        Map<String, ObjectBucket> buckets = claims.buckets();
        return found.stream()
                .map(claim -> ClaimRow.of(claim, buckets.get(claim.getMetadata().getUid())))
                .toList();
    }

    private void print(List<ClaimRow> rows) {
        if (rows.isEmpty()) {
            out().println("No claims found" + (allNamespaces ? "." : " in namespace " + scope.namespace() + "."));
        } else {
            ClaimRow.table(rows, Instant.now()).forEach(out()::println);
        }
    }
}
