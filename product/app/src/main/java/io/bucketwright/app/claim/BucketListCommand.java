package io.bucketwright.app.claim;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.app.options.StorageClassOption;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.observation.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright bucket list}. After a cluster is lost, only the store knows which buckets exist. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists all buckets of a store with their ownership tags, and what in this cluster uses them.",
            "Requires permission to read the StorageClass and its administrator Secret, and to list ObjectBucketClaims,"
                    + " ObjectBuckets and Buckets of COSI."
        })
final class BucketListCommand extends BaseCommand {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Mixin
    private StorageClassOption storageClass = new StorageClassOption("StorageClass of the store.");

    @Option(names = "--unused", description = "List only buckets that nothing in this cluster uses.")
    private boolean unused;

    @Mixin
    private AddedOption<AddedOption.Format> output = AddedOption.output("Output format.");

    @Override
    public Integer call() throws JsonProcessingException {
        List<BucketRow> rows = rows();
        switch (output.value()) {
            case JSON -> printJson(rows);
            case TEXT -> {
                if (rows.isEmpty()) {
                    out().println("No buckets found in the store of StorageClass " + storageClass.value() + ".");
                } else {
                    BucketRow.table(rows, Instant.now()).forEach(out()::println);
                }
            }
        }
        return 0;
    }

    private List<BucketRow> rows() {
        try (ClaimClient claims = ClaimClient.open(server);
                ClassStores stores = claims.stores(storageClass.storeKind())) {
            BucketClass bucketClass = claims.bucketClass(storageClass.value());
            BucketUsers users = BucketUsers.read(claims, stores, bucketClass);
            List<BucketRow> rows = new ArrayList<>();
            Optional<String> from = Optional.of(BucketPage.FIRST);
            while (from.isPresent()) {
                String position = from.get();
                StoreCall call = StoreCall.within(LIMIT);
                BucketPage page = stores.of(bucketClass)
                        .use(opened ->
                                opened.call(StoreOperation.LIST_BUCKETS, call, s -> s.listBuckets(call, position)));
                page.buckets().stream()
                        .map(bucket -> BucketRow.of(bucket, users.clusterId(), users.of(bucket.name(), bucket.tags())))
                        .filter(row -> !unused || row.usedBy().isEmpty())
                        .forEach(rows::add);
                from = page.next();
            }
            return rows;
        } catch (Invalid e) {
            throw usageError(e);
        } catch (StoreException e) {
            throw new CommandException("Cannot list the buckets: " + e.getMessage(), e);
        }
    }
}
