package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.SanityCheck.check;
import static io.bucketwright.cosi.wire.CosiError.DELETE_BUCKET_DOESNOT_EXIST;
import static io.bucketwright.cosi.wire.CosiError.DELETE_DELETE_INPROGRESS;
import static io.bucketwright.cosi.wire.CosiError.DELETE_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.GRANT_BUCKET_DOESNOT_EXIST;

import io.bucketwright.cosi.sanity.SanityDialect.NoContent;
import io.bucketwright.store.errors.InputText;
import java.util.List;

/** Checks of DeleteBucket. */
final class DeleteChecks {

    private DeleteChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                check(
                        "delete-bucket",
                        "DeleteBucket deletes the bucket",
                        client -> requireDeleted(client, deleted(client))),
                check(
                        "delete-repeat",
                        "DeleteBucket is idempotent",
                        client -> client.delete(deleted(client)).requireEnded("Deleting it again")),
                check(
                        CheckNeed.NAMES_AS_IDS,
                        "delete-missing",
                        "DeleteBucket succeeds for a bucket that never existed",
                        client ->
                                client.delete(client.newBucket()).requireEnded("Deleting a bucket that never existed")),
                check(
                        "delete-frees-name",
                        "DeleteBucket releases the name",
                        client -> client.create(deleted(client).ofAnotherOwner())
                                .require("Creating a bucket of that name for another owner")),
                check(
                        CheckNeed.OWNERS,
                        "delete-not-owned",
                        "DeleteBucket does not delete a bucket of another owner",
                        client -> {
                            TestBucket bucket = client.newCreatedBucket();
                            // Any response will do, as long as the bucket still exists.
                            RpcResult<NoContent> _ = client.deleteCompletely(bucket.ofAnotherOwner());
                            client.grant(bucket, client.newAccount())
                                    .require("Access to a bucket that another owner tried to delete");
                        }),
                check(
                        "delete-empty-name",
                        "DeleteBucket rejects an empty name",
                        client -> client.delete(client.newBucket().named(""))
                                .requireRefused("An empty bucket_name", DELETE_INVALID_ARGUMENT)),
                check(
                        CheckNeed.NAMES_AS_IDS,
                        "delete-invalid-names",
                        "DeleteBucket treats invalid names as not existing or rejects them",
                        DeleteChecks::invalidNames),
                check(
                        CheckNeed.PROTOCOLS,
                        "delete-other-protocol",
                        "DeleteBucket rejects a protocol that is not the driver's",
                        client -> client.delete(
                                        client.newCreatedBucket(),
                                        request -> request.setRequestProtocol(client.otherProtocol()))
                                .requireRefused("request_protocol " + client.otherProtocol(), DELETE_INVALID_ARGUMENT)),
                check(
                        "delete-concurrent",
                        "Concurrent DeleteBucket calls delete the bucket and succeed",
                        DeleteChecks::concurrent));
    }

    private static void invalidNames(SanityClient client) {
        for (String name : TestBucket.INVALID_NAMES) {
            client.delete(client.newBucket().named(name))
                    .requireDoneOrRefused(
                            "bucket_name " + InputText.quote(name),
                            DELETE_BUCKET_DOESNOT_EXIST,
                            DELETE_INVALID_ARGUMENT);
        }
    }

    private static void concurrent(SanityClient client) {
        TestBucket bucket = client.newCreatedBucket();
        client.concurrently(() -> client.delete(bucket))
                .forEach(result -> result.requireDoneOrRefused(
                        "One of several concurrent deletions", DELETE_BUCKET_DOESNOT_EXIST, DELETE_DELETE_INPROGRESS));
        client.deleteCompletely(bucket).requireEnded("Deleting it again");
        requireDeleted(client, bucket);
    }

    private static TestBucket deleted(SanityClient client) {
        TestBucket bucket = client.newCreatedBucket();
        client.deleteCompletely(bucket).requireEnded("Deleting the bucket " + bucket.name());
        return bucket;
    }

    private static void requireDeleted(SanityClient client, TestBucket bucket) {
        client.grant(bucket, client.newAccount())
                .requireRefused("Access to a deleted bucket", GRANT_BUCKET_DOESNOT_EXIST);
    }
}
