package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.StorageClassOption;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bucketwright claim adopt}. Only a class can allow adoption, so the command creates a class that adopts this
 * bucket for this namespace, and a claim of that class.
 */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Binds a new claim to an existing bucket: one that was retained when its claim was deleted; with --orphaned,"
                    + " one whose claim no longer exists; with --from-cluster, one of a lost cluster; or, with --untagged,"
                    + " one that Bucketwright did not create.",
            "A bucket that something in this cluster uses is refused.",
            "With --orphaned and --from-cluster, the user and the keys of the former claim are deleted. This requires"
                    + " permission to read the class's administrator Secret.",
            "The bucket is not deleted with the claim. Requires permission to create StorageClasses, and to list"
                    + " ObjectBucketClaims, ObjectBuckets and Buckets of COSI."
        })
public final class AdoptCommand extends BaseCommand {

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Parameters(paramLabel = "BUCKET", description = "Name of the bucket in the store.")
    private String bucket = "";

    @Mixin
    private StorageClassOption storageClass =
            new StorageClassOption("StorageClass of the store that has the bucket; its parameters are copied.");

    @Option(names = "--claim", required = true, paramLabel = "NAME", description = "Name of the claim to create.")
    private String claim = "";

    @Option(
            names = "--untagged",
            description = "Adopt the bucket even if it has no ownership tag. Make sure that nobody else uses it.")
    private boolean untagged;

    @Option(
            names = "--orphaned",
            description = "Adopt the bucket of a claim of this cluster that no longer exists. The command checks that"
                    + " nothing in the cluster uses the bucket.")
    private boolean orphaned;

    @Option(
            names = "--from-cluster",
            paramLabel = "ID",
            description =
                    "Adopt the bucket of a claim of this lost cluster: the uid of its namespace kube-system, which"
                            + " is also the tag bucketwright.io/cluster of its buckets. Requires --yes.")
    private String fromCluster = "";

    @Option(names = "--yes", description = "Confirm that the cluster of --from-cluster no longer uses the bucket.")
    private boolean yes;

    @Override
    public Integer call() throws InterruptedException {
        checkName();
        checkConfirmation();
        String namespace = scope.namespace();
        try (ClaimClient claims = scope.open()) {
            // Before anything is released: what fails later leaves a bucket without owner.
            StorageClass adopting = adopting(claims.readClass(storageClass.value()), namespace);
            if (claims.find(namespace, claim).isPresent()) {
                throw new CommandException("Claim " + namespace + "/" + claim + " exists already. Use another name.");
            }
            release(claims);
            String name = adopting.getMetadata().getName();
            if (!claims.hasClass(name)) {
                claims.create("StorageClass " + name, adopting);
            }
            CreateCommand.create(
                    claims,
                    CreateCommand.claim(
                            namespace,
                            claim,
                            ObjectBucketClaimSpec.builder()
                                    .storageClassName(name)
                                    .bucketName(bucket)),
                    waiting,
                    out(),
                    " created for bucket " + bucket + " with StorageClass " + name
                            + ". You can delete that class when the claim is Bound.");
            return 0;
        }
    }

    private void checkConfirmation() {
        if (orphaned && !fromCluster.isEmpty()) {
            throw usageError(
                    "--orphaned is for buckets of this cluster and --from-cluster for others: use one of them");
        }
        if (yes && fromCluster.isEmpty()) {
            throw usageError("--yes confirms --from-cluster");
        }
        if (!fromCluster.isEmpty() && !yes) {
            throw usageError("This deletes the user and the keys of the former claim. Make sure that cluster "
                    + ClaimText.plain(fromCluster) + " no longer uses the bucket, and confirm that with --yes");
        }
    }

    /** Refuses a bucket that is in use, and ends what is left of its former claim. */
    private void release(ClaimClient claims) throws InterruptedException {
        try (ClassStores stores = claims.stores(storageClass.storeKind())) {
            if (claims.clusterId().equals(fromCluster)) {
                throw usageError("--from-cluster is the id of this cluster: use --orphaned");
            }
            BucketClass bucketClass = claims.bucketClass(storageClass.value());
            if (!orphaned && fromCluster.isEmpty()) {
                BucketUsers.read(claims, stores, bucketClass).requireUnused(bucket);
                return;
            }
            FormerOwner former = new FormerOwner(
                    claims.clusterId(),
                    stores,
                    bucketClass,
                    new BucketName(bucket),
                    () -> BucketUsers.read(claims, stores, bucketClass),
                    this::awaitEndOfAccess);
            Optional<BucketOwner> owner = orphaned ? former.releaseOrphan() : former.releaseFrom(fromCluster);
            owner.ifPresent(gone -> out().println("Bucket " + bucket + " released from claim " + gone.uid()
                    + " of cluster " + gone.clusterId() + ", whose user is deleted."));
        } catch (Invalid e) {
            throw usageError(e);
        }
    }

    private void awaitEndOfAccess(Duration ending) throws InterruptedException {
        out().println("The keys of the former claim are deleted, and the service may still accept them. Waiting "
                + ending.toSeconds() + " seconds before others get the bucket. If you stop the command now, start it"
                + " again later.");
        out().flush();
        Thread.sleep(ending);
    }

    private void checkName() {
        try {
            BucketName _ = new BucketName(bucket);
        } catch (Invalid e) {
            throw usageError(e);
        }
    }

    /** A class for the same store that allows only this bucket and this namespace. */
    StorageClass adopting(StorageClass base, String namespace) {
        @Nullable Map<String, String> given = base.getParameters();
        Map<String, String> parameters = new TreeMap<>(given == null ? Map.of() : given);
        if (parameters.containsKey(ClassParameters.BUCKET_NAME)) {
            throw new CommandException("StorageClass " + storageClass.value() + " is for the existing bucket "
                    + ClaimText.plain(parameters.getOrDefault(ClassParameters.BUCKET_NAME, ""))
                    + ". Use a class that creates buckets.");
        }
        parameters.put(ClassParameters.ADOPT, bucket);
        // The command releases the bucket itself, if it was called with --orphaned.
        parameters.remove(ClassParameters.ADOPT_ORPHANS);
        parameters.put(ClassParameters.ADOPT_UNTAGGED, Boolean.toString(untagged));
        // The administrator names the bucket and the namespace, so the namespace of the former claim does not matter.
        parameters.put(ClassParameters.ADOPT_FROM, "AnyNamespace");
        parameters.put(ClassParameters.ALLOWED_NAMESPACES, namespace);
        // The same parameters give the same name, so that a retry finds the class of the first attempt.
        String id = UUID.nameUUIDFromBytes((base.getMetadata().getUid() + parameters).getBytes(StandardCharsets.UTF_8))
                .toString();
        return new StorageClassBuilder()
                .withNewMetadata()
                .withName("adopt-" + id)
                .addToAnnotations("bucketwright.io/adopts", bucket)
                .endMetadata()
                .withProvisioner(base.getProvisioner())
                .withParameters(parameters)
                .withReclaimPolicy(base.getReclaimPolicy())
                .build();
    }
}
