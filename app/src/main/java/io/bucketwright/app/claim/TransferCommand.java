package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.FromClusterOption;
import io.bucketwright.app.options.StorageClassOption;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright claim transfer}. Only an administrator knows that the former cluster no longer exists. */
@Command(
        name = "transfer",
        mixinStandardHelpOptions = true,
        description = {
            "Transfers the buckets of a former cluster to the claims of the same namespace and name that were restored in"
                    + " this cluster.",
            "The keys of the former claims stop working. Make sure that the former cluster no longer uses the buckets."
                    + " Requires permission to read the StorageClass and its administrator Secret, and to change"
                    + " claims."
        })
public final class TransferCommand extends BaseCommand {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Transfer the buckets of the claims of all namespaces.")
    private boolean allNamespaces;

    @Mixin
    private StorageClassOption storageClass = new StorageClassOption("StorageClass of the restored claims.");

    @Mixin
    private FromClusterOption fromCluster = new FromClusterOption();

    @Override
    public Integer call() {
        try (ClaimClient claims = scope.open();
                ClassStores stores = claims.stores(storageClass.store())) {
            BucketClass bucketClass = claims.bucketClass(storageClass.value());
            String toCluster = claims.clusterId();
            List<ObjectBucketClaim> waiting = (allNamespaces ? claims.all() : claims.in(scope.namespace()))
                    .stream()
                            .filter(claim -> claim.phase() != Phase.BOUND)
                            .filter(claim -> claim.getSpec()
                                    .storageClass()
                                    .filter(storageClass.value()::equals)
                                    .isPresent())
                            .filter(claim -> claim.getSpec().bucket().isPresent())
                            .toList();
            if (waiting.isEmpty()) {
                out().println("No claim of StorageClass " + storageClass.value() + " waits for its bucket.");
            }
            boolean complete = true;
            for (ObjectBucketClaim claim : waiting) {
                complete &= transfer(claims, stores, bucketClass, claim, toCluster);
            }
            return complete ? 0 : 1;
        } catch (Invalid e) {
            throw usageError(e);
        }
    }

    private boolean transfer(
            ClaimClient claims,
            ClassStores stores,
            BucketClass bucketClass,
            ObjectBucketClaim claim,
            String toCluster) {
        String bucket = claim.getSpec().bucket().orElseThrow();
        ClaimIdentity identity = new ClaimIdentity(
                claim.getMetadata().getNamespace(), "", claim.getMetadata().getName());
        try {
            TransferRequest request =
                    TransferRequest.ofClaim(new BucketName(bucket), fromCluster.value(), toCluster, identity);
            stores.of(bucketClass).use(opened -> {
                opened.transfer(StoreCall.within(LIMIT), request);
                return bucket;
            });
            // The controller tries again because the claim changed.
            claims.annotate(
                    "claim " + ClaimText.key(claim),
                    claim,
                    ObjectBucketNames.TRANSFERRED_FROM_ANNOTATION,
                    fromCluster.value());
            out().println(ClaimText.key(claim) + ": bucket " + ClaimText.plain(bucket) + " transferred");
            return true;
        } catch (StoreException | CommandException e) {
            out().println(ClaimText.key(claim) + ": not transferred: "
                    + ClaimText.plain(String.valueOf(e.getMessage())));
            return false;
        }
    }
}
