package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.wire.CosiError.DELETE_BUCKET_DOESNOT_EXIST;
import static io.bucketwright.cosi.wire.CosiError.DELETE_DELETE_INPROGRESS;
import static io.bucketwright.cosi.wire.CosiError.DELETE_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.GRANT_BUCKET_DOESNOT_EXIST;

import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.store.errors.InputText;
import java.util.List;
import java.util.UUID;

/** DeleteBucket. */
final class DeleteChecks {

    private DeleteChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                new SanityCheck("delete-bucket", "DeleteBucket deletes the bucket", DeleteChecks::gone),
                new SanityCheck("delete-repeat", "DeleteBucket is idempotent", DeleteChecks::repeat),
                new SanityCheck(
                        "delete-missing",
                        "DeleteBucket succeeds for a bucket that never existed",
                        DeleteChecks::missing),
                new SanityCheck("delete-frees-name", "DeleteBucket releases the name", DeleteChecks::again),
                new SanityCheck(
                        "delete-not-owned",
                        "DeleteBucket does not delete a bucket of another owner",
                        DeleteChecks::foreign),
                new SanityCheck("delete-empty-name", "DeleteBucket rejects an empty name", DeleteChecks::emptyName),
                new SanityCheck(
                        "delete-invalid-names",
                        "DeleteBucket treats invalid names as not existing or rejects them",
                        DeleteChecks::hostileNames),
                new SanityCheck(
                        "delete-other-protocol",
                        "DeleteBucket rejects a protocol that is not the driver's",
                        DeleteChecks::otherProtocol),
                new SanityCheck(
                        "delete-concurrent",
                        "Concurrent DeleteBucket calls delete the bucket and succeed",
                        DeleteChecks::atOnce));
    }

    private static void gone(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        probe.deleteWholly(request(probe, bucket)).requireEnded("Deleting the bucket " + bucket.name());
        requireGone(probe, bucket);
    }

    private static void repeat(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        probe.deleteWholly(request(probe, bucket)).requireEnded("Deleting the bucket " + bucket.name());
        probe.delete(request(probe, bucket)).requireEnded("Deleting it again");
    }

    private static void missing(SanityClient probe) {
        probe.delete(request(probe, probe.newBucket())).requireEnded("Deleting a bucket that never was");
    }

    private static void again(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        probe.deleteWholly(request(probe, bucket)).requireEnded("Deleting the bucket " + bucket.name());
        TestBucket next = bucket.ofAnother(UUID.randomUUID().toString());
        probe.create(probe.requests().create(next).build()).require("Creating a bucket of that name for another");
    }

    private static void foreign(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        // Whatever it answers: what counts is that the bucket is there.
        RpcResult<DeleteBucketResponse> _ = probe.deleteWholly(
                request(probe, bucket.ofAnother(UUID.randomUUID().toString())));
        probe.grant(probe.requests().grant(bucket, probe.newAccount()).build())
                .require("Access to a bucket that somebody else tried to delete");
    }

    private static void emptyName(SanityClient probe) {
        probe.delete(request(probe, probe.newBucket().named("")))
                .requireRefused("An empty bucket_name", DELETE_INVALID_ARGUMENT);
    }

    private static void hostileNames(SanityClient probe) {
        for (String name : InvalidNames.all()) {
            RpcResult<DeleteBucketResponse> answer =
                    probe.delete(request(probe, probe.newBucket().named(name)));
            if (!answer.isDone()) {
                answer.requireRefused(
                        "bucket_name " + InputText.quote(name), DELETE_BUCKET_DOESNOT_EXIST, DELETE_INVALID_ARGUMENT);
            }
        }
    }

    private static void otherProtocol(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        probe.delete(probe.requests()
                        .delete(bucket)
                        .setRequestProtocol(probe.otherProtocol())
                        .build())
                .requireRefused("request_protocol " + probe.otherProtocol(), DELETE_INVALID_ARGUMENT);
    }

    private static void atOnce(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        for (RpcResult<DeleteBucketResponse> answer :
                probe.<DeleteBucketResponse>atOnce(_ -> probe.delete(request(probe, bucket)))) {
            if (!answer.isDone()) {
                answer.requireRefused(
                        "One of several deletions", DELETE_BUCKET_DOESNOT_EXIST, DELETE_DELETE_INPROGRESS);
            }
        }
        probe.deleteWholly(request(probe, bucket)).requireEnded("Deleting it again");
        requireGone(probe, bucket);
    }

    private static void requireGone(SanityClient probe, TestBucket bucket) {
        probe.grant(probe.requests().grant(bucket, probe.newAccount()).build())
                .requireRefused("Access to a bucket that was deleted", GRANT_BUCKET_DOESNOT_EXIST);
    }

    private static DeleteBucketRequest request(SanityClient probe, TestBucket bucket) {
        return probe.requests().delete(bucket).build();
    }
}
