package io.bucketwright.app.claim;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.ApiServerOptions;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bucketwright bucket access}. */
@Command(
        name = "access",
        mixinStandardHelpOptions = true,
        description = {
            "Shows who can open a bucket: since when, with which key id, until when, and why. It shows what the controllers"
                    + " record, does not ask the store, and reads no Secret.",
            "Requires permission to list ObjectBuckets, Buckets of COSI and BucketAccesses of cosi.io, of the APIs that are"
                    + " installed."
        })
final class BucketAccessCommand extends BaseCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Parameters(
            paramLabel = "NAME",
            description = "Name of an ObjectBucket or of a Bucket of COSI, or the name of the bucket in the store."
                    + " objectbucket/NAME, bucket/NAME (objectstorage.k8s.io) and bucket.cosi.io/NAME select the kind.")
    private String name = "";

    @Mixin
    private AddedOption<AddedOption.Format> output = AddedOption.output("Output format.");

    @Override
    public Integer call() throws JsonProcessingException {
        RecordedAccess access;
        try (ClaimClient client = ClaimClient.open(server)) {
            access = read(client);
        }
        List<AccessRow> rows = access.rows();
        switch (output.value()) {
            case JSON -> printJson(rows);
            case TEXT -> {
                if (rows.isEmpty()) {
                    out().println("Nobody can open " + access.title() + ", as far as it is recorded.");
                } else {
                    AccessRow.table(rows).forEach(out()::println);
                }
            }
        }
        return 0;
    }

    private RecordedAccess read(ClaimClient client) {
        List<BucketAccess> accesses = client.allOf(BucketAccess.class);
        return RecordedAccess.select(
                ClaimText.plain(name),
                Stream.of(
                                client.allOf(ObjectBucket.class).stream().map(RecordedAccess::of),
                                client.allOf(ReleasedBucket.class).stream().map(RecordedAccess::of),
                                client.allOf(Bucket.class).stream().map(bucket -> RecordedAccess.of(bucket, accesses)))
                        .flatMap(found -> found)
                        .toList());
    }
}
