package io.bucketwright.app.claim;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.StoreOfClass;
import io.bucketwright.store.BucketName;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.BucketOwner;
import io.bucketwright.store.StoreException;
import io.bucketwright.store.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright lift}: the claim is gone, so there is no object to write on, and the store is asked from here. */
@Command(
        name = "lift",
        mixinStandardHelpOptions = true,
        description = {
            "Lifts a suspension: the keys that a claim with reclaim policy Suspend had work again.",
            "Needs the right to read the StorageClass and the administrator's Secret that it names."
        })
public final class LiftCommand extends AnsweringCommand {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Parameters(paramLabel = "BUCKET", description = "The bucket's name in the store.")
    private String bucket = "";

    @Option(
            names = "--class",
            required = true,
            paramLabel = "CLASS",
            description = "A StorageClass of the store that holds the bucket.")
    private String storageClass = "";

    @Option(
            names = "--claim-uid",
            required = true,
            paramLabel = "UID",
            description = "The uid of the claim that is gone; in the store, its user is bw-UID.")
    private String uid = "";

    @Option(
            names = "--store",
            defaultValue = "s3",
            paramLabel = "STORE",
            description = "The kind of store, as the controller has it (default: ${DEFAULT-VALUE}).")
    private String store = "";

    @Override
    public Integer call() {
        try (Claims claims = scope.open();
                StoreOfClass stores = claims.stores(store)) {
            StorageClass found = claims.readClass(storageClass);
            BucketClass bucketClass = BucketClass.read(
                    new BucketClassRef(
                            storageClass,
                            found.getMetadata().getUid(),
                            Optional.ofNullable(found.getParameters()).orElse(Map.of())),
                    found.getReclaimPolicy());
            BucketOwner owner = new BucketOwner(claims.clusterId(), uid);
            BucketName name = new BucketName(bucket);
            stores.with(bucketClass, opened -> {
                opened.lift(StoreCall.within(LIMIT), name, owner);
                return name;
            });
        } catch (Invalid e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        } catch (StoreException.NotFound e) {
            throw new Failure(
                    "There is no user of claim " + uid + " in the store: it was not suspended, or is deleted.", e);
        } catch (StoreException e) {
            throw new Failure("The suspension could not be lifted: " + e.getMessage(), e);
        }
        out().println("The keys of claim " + uid + " have access to bucket " + bucket + " again. Nothing in the cluster"
                + " watches over them: delete user and bucket in the store when they are not needed any more.");
        return 0;
    }
}
