package io.bucketwright.app.claim;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.StorageClassOption;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.observation.StoreOperation;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim unsuspend}. The claim no longer exists, so this command calls the store itself. */
@Command(
        name = "unsuspend",
        mixinStandardHelpOptions = true,
        description = {
            "Restores access to a bucket that was suspended because its claim had reclaim policy Suspend.",
            "Requires permission to read the StorageClass and its administrator Secret."
        })
public final class UnsuspendCommand extends BaseCommand {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Parameters(paramLabel = "BUCKET", description = "Name of the bucket in the store.")
    private String bucket = "";

    @Mixin
    private StorageClassOption storageClass = new StorageClassOption("StorageClass of the store that has the bucket.");

    @Option(
            names = "--claim-uid",
            required = true,
            paramLabel = "UID",
            description = "uid of the deleted claim; its user in the store is bw-UID.")
    private String uid = "";

    @Override
    public Integer call() {
        try (ClaimClient claims = scope.open();
                ClassStores stores = claims.stores(storageClass.storeKind())) {
            BucketClass bucketClass = claims.bucketClass(storageClass.value());
            BucketOwner owner = new BucketOwner(claims.clusterId(), uid);
            BucketName name = new BucketName(bucket);
            StoreCall call = StoreCall.within(LIMIT);
            stores.of(bucketClass).use(opened -> {
                opened.run(StoreOperation.UNSUSPEND, call, s -> s.unsuspend(call, name, owner));
                return name;
            });
        } catch (Invalid e) {
            throw usageError(e);
        } catch (StoreException.NotFound e) {
            throw new CommandException(
                    "The store has no user of claim " + uid + ": the claim was not suspended, or the user was deleted.",
                    e);
        } catch (StoreException e) {
            throw new CommandException("Cannot restore access: " + e.getMessage(), e);
        }
        out().println("The keys of claim " + uid + " have access to bucket " + bucket
                + " again. No object in the cluster"
                + " represents them: delete the user and the bucket in the store when they are no longer needed.");
        return 0;
    }
}
