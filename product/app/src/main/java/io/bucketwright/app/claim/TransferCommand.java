package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.StorageClassOption;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim transfer}. Only an administrator knows that the former cluster no longer exists. */
@Command(
        name = "transfer",
        mixinStandardHelpOptions = true,
        description = {
            "Transfers the buckets of a former cluster to the claims of the same namespace and name that were restored in"
                    + " this cluster. With --from-cluster this, transfers buckets of this cluster to claims in namespaces"
                    + " that were created again, for example by a restore.",
            "The keys of the former claims stop working. Make sure that the former cluster no longer uses the buckets, and"
                    + " that a namespace of the same name belongs to the same tenant."
                    + " Requires permission to read the StorageClass and its administrator Secret, and to change"
                    + " claims."
        })
public final class TransferCommand extends BaseCommand {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Transfer the buckets of the claims of all namespaces; not with names of claims.")
    private boolean allNamespaces;

    @Parameters(
            arity = "0..*",
            paramLabel = "CLAIM",
            description =
                    "Names of claims (default: all that wait for their bucket). A claim of this cluster that may have"
                            + " been suspended must be named.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private StorageClassOption storageClass = new StorageClassOption("StorageClass of the restored claims.");

    @Mixin
    private AddedOption<String> fromCluster = AddedOption.fromCluster();

    @Override
    public Integer call() {
        if (allNamespaces && !names.isEmpty()) {
            throw usageError("A name selects a claim of one namespace: use -n instead of -A");
        }
        try (ClaimClient claims = scope.open();
                ClassStores stores = claims.stores(storageClass.storeKind())) {
            BucketClass bucketClass = claims.bucketClass(storageClass.value());
            String toCluster = claims.clusterId();
            String from = fromCluster.value().equals("this") ? toCluster : fromCluster.value();
            List<ObjectBucketClaim> waiting = claims.claims(allNamespaces ? "" : scope.namespace()).stream()
                    .filter(claim -> claim.phase() != Phase.BOUND)
                    .filter(claim -> names.isEmpty()
                            || names.contains(claim.getMetadata().getName()))
                    .filter(claim -> claim.getSpec()
                            .storageClass()
                            .filter(storageClass.value()::equals)
                            .isPresent())
                    .filter(claim -> claim.getSpec().bucket().isPresent())
                    .toList();
            requireWaiting(waiting);
            if (waiting.isEmpty()) {
                out().println("No claim of StorageClass " + storageClass.value() + " waits for its bucket.");
            }
            boolean complete = true;
            for (ObjectBucketClaim claim : waiting) {
                complete &= transfer(claims, stores, bucketClass, claim, from, toCluster);
            }
            return complete ? 0 : 1;
        } catch (Invalid e) {
            throw usageError(e);
        }
    }

    private void requireWaiting(List<ObjectBucketClaim> waiting) {
        List<String> known =
                waiting.stream().map(claim -> claim.getMetadata().getName()).toList();
        String unknown = names.stream().filter(name -> !known.contains(name)).collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            throw new CommandException("Cannot transfer " + ClaimText.plain(unknown) + ": no claim of StorageClass "
                    + storageClass.value() + " in namespace " + scope.namespace()
                    + " with this name waits for its bucket. Nothing was transferred.");
        }
    }

    private boolean transfer(
            ClaimClient claims,
            ClassStores stores,
            BucketClass bucketClass,
            ObjectBucketClaim claim,
            String from,
            String toCluster) {
        String bucket = claim.getSpec().bucket().orElseThrow();
        String namespace = claim.getMetadata().getNamespace();
        try {
            ClaimIdentity identity = new ClaimIdentity(
                    namespace,
                    claims.namespaceUid(namespace),
                    claim.getMetadata().getName());
            TransferRequest request = TransferRequest.ofClaim(new BucketName(bucket), from, toCluster, identity);
            stores.of(bucketClass).use(opened -> {
                if (from.equals(toCluster)) {
                    checkOwner(opened, request.bucket(), claim);
                }
                StoreCall call = StoreCall.within(LIMIT);
                opened.run(StoreOperation.TRANSFER, call, s -> s.transfer(call, request));
                return bucket;
            });
            // The controller tries again because the claim changed.
            claims.annotate(
                    "claim " + ClaimText.key(claim), claim, ObjectBucketNames.TRANSFERRED_FROM_ANNOTATION, from);
            out().println(ClaimText.key(claim) + ": bucket " + ClaimText.plain(bucket) + " transferred");
            return true;
        } catch (StoreException | CommandException e) {
            out().println(ClaimText.key(claim) + ": not transferred: "
                    + ClaimText.plain(String.valueOf(e.getMessage())));
            return false;
        }
    }

    /** The claim may own the bucket already, and a suspended claim returns only if the administrator names it. */
    private void checkOwner(MeasuredStore store, BucketName bucket, ObjectBucketClaim claim) {
        StoreCall call = StoreCall.within(LIMIT);
        OwnershipTags tags = store.call(StoreOperation.FIND_BUCKET, call, s -> s.findBucket(call, bucket))
                .map(ListedBucket::tags)
                .orElseThrow(() -> new CommandException("the bucket does not exist."));
        String uid = claim.getMetadata().getUid();
        if (tags.currentOwner().filter(owner -> owner.uid().equals(uid)).isPresent()) {
            throw new CommandException("the bucket belongs to this claim already.");
        }
        boolean suspended =
                tags instanceof OwnershipTags.Owned owned && !owned.reclaim().allowsReturn();
        if (suspended && names.isEmpty()) {
            throw new CommandException(
                    "the former claim may have been suspended. If this claim may have the bucket, name the claim.");
        }
    }
}
