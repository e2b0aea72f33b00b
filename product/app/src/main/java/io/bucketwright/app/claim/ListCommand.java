package io.bucketwright.app.claim;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.cosi.controller.claims.ClaimDiagnosis;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private AddedOption<AddedOption.Format> output = AddedOption.output("Output format.");

    @Override
    public Integer call() throws JsonProcessingException {
        String namespace = allNamespaces ? "" : scope.namespace();
        try (ClaimClient claims = scope.open()) {
            List<ClaimRow> released = bucketClaims(claims, namespace);
            // A cluster may have only the kinds of COSI.
            List<ObjectBucketClaim> found = released.isEmpty()
                    ? claims.claims(namespace)
                    : claims.listIfAllowed(ObjectBucketClaim.class, namespace).orElse(List.of());
            Map<String, ObjectBucket> buckets = claims.buckets();
            List<ClaimRow> rows = new ArrayList<>();
            found.forEach(claim ->
                    rows.add(ClaimRow.of(claim, buckets.get(claim.getMetadata().getUid()))));
            rows.addAll(released);
            rows.sort(Comparator.comparing(ClaimRow::namespace).thenComparing(ClaimRow::name));
            switch (output.value()) {
                case JSON -> printJson(rows);
                case TEXT -> print(rows);
            }
            return 0;
        }
    }

    /** With what explains their state, unless the user may not read what decides it, like most tenants. */
    private static List<ClaimRow> bucketClaims(ClaimClient client, String namespace) {
        List<BucketClaim> claims =
                client.listIfAllowed(BucketClaim.class, namespace).orElse(List.of());
        if (claims.isEmpty()) {
            return List.of();
        }
        Optional<List<ReleasedBucket>> buckets = client.listIfAllowed(ReleasedBucket.class, "");
        Optional<List<ReleasedBucketClass>> classes = client.listIfAllowed(ReleasedBucketClass.class, "");
        List<ReleasedBucketAccess> accesses =
                client.listIfAllowed(ReleasedBucketAccess.class, namespace).orElse(List.of());
        Instant now = Instant.now();
        return claims.stream()
                .map(claim -> ClaimRow.of(
                        claim,
                        buckets.isEmpty() || classes.isEmpty()
                                ? ""
                                : ClaimDiagnosis.of(claim, buckets.get(), classes.get(), accesses)
                                        .explain(now)))
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
