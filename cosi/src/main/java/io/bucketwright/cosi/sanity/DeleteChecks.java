package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.wire.CosiError.DELETE_BUCKET_DOESNOT_EXIST;
import static io.bucketwright.cosi.wire.CosiError.DELETE_DELETE_INPROGRESS;
import static io.bucketwright.cosi.wire.CosiError.DELETE_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.GRANT_BUCKET_DOESNOT_EXIST;

import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.store.Quoted;
import java.util.List;
import java.util.UUID;

/** DeleteBucket. */
final class DeleteChecks {

    private DeleteChecks() {}

    static List<Check> all() {
        return List.of(
                new Check("delete-gone", "DeleteBucket deletes the bucket", DeleteChecks::gone),
                new Check("delete-repeat", "DeleteBucket repeated is a success", DeleteChecks::repeat),
                new Check("delete-missing", "DeleteBucket of what never was is a success", DeleteChecks::missing),
                new Check("delete-again", "DeleteBucket frees the name", DeleteChecks::again),
                new Check("delete-foreign", "DeleteBucket leaves alone what is somebody else's", DeleteChecks::foreign),
                new Check("delete-empty-name", "DeleteBucket refuses an empty name", DeleteChecks::emptyName),
                new Check(
                        "delete-hostile-names",
                        "DeleteBucket takes names that are none for gone, or refuses them",
                        DeleteChecks::hostileNames),
                new Check(
                        "delete-other-protocol",
                        "DeleteBucket refuses a protocol that is not the driver's",
                        DeleteChecks::otherProtocol),
                new Check(
                        "delete-at-once",
                        "DeleteBucket, many at once, deletes the bucket and is a success",
                        DeleteChecks::atOnce));
    }

    private static void gone(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        probe.deleteWholly(request(probe, bucket)).requireEnded("Deleting the bucket " + bucket.name());
        requireGone(probe, bucket);
    }

    private static void repeat(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        probe.deleteWholly(request(probe, bucket)).requireEnded("Deleting the bucket " + bucket.name());
        probe.delete(request(probe, bucket)).requireEnded("Deleting it again");
    }

    private static void missing(Probe probe) {
        probe.delete(request(probe, probe.newBucket())).requireEnded("Deleting a bucket that never was");
    }

    private static void again(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        probe.deleteWholly(request(probe, bucket)).requireEnded("Deleting the bucket " + bucket.name());
        SampleBucket next = bucket.ofAnother(UUID.randomUUID().toString());
        probe.create(probe.requests().create(next).build()).require("Creating a bucket of that name for another");
    }

    private static void foreign(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        // Whatever it answers: what counts is that the bucket is there.
        Answer<DeleteBucketResponse> _ = probe.deleteWholly(
                request(probe, bucket.ofAnother(UUID.randomUUID().toString())));
        probe.grant(probe.requests().grant(bucket, probe.newAccount()).build())
                .require("Access to a bucket that somebody else tried to delete");
    }

    private static void emptyName(Probe probe) {
        probe.delete(request(probe, probe.newBucket().named("")))
                .requireRefused("An empty bucket_name", DELETE_INVALID_ARGUMENT);
    }

    private static void hostileNames(Probe probe) {
        for (String name : HostileNames.all()) {
            Answer<DeleteBucketResponse> answer =
                    probe.delete(request(probe, probe.newBucket().named(name)));
            if (!answer.isDone()) {
                answer.requireRefused(
                        "bucket_name " + Quoted.text(name), DELETE_BUCKET_DOESNOT_EXIST, DELETE_INVALID_ARGUMENT);
            }
        }
    }

    private static void otherProtocol(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        probe.delete(probe.requests()
                        .delete(bucket)
                        .setRequestProtocol(probe.otherProtocol())
                        .build())
                .requireRefused("request_protocol " + probe.otherProtocol(), DELETE_INVALID_ARGUMENT);
    }

    private static void atOnce(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        for (Answer<DeleteBucketResponse> answer :
                probe.<DeleteBucketResponse>atOnce(_ -> probe.delete(request(probe, bucket)))) {
            if (!answer.isDone()) {
                answer.requireRefused(
                        "One of several deletions", DELETE_BUCKET_DOESNOT_EXIST, DELETE_DELETE_INPROGRESS);
            }
        }
        probe.deleteWholly(request(probe, bucket)).requireEnded("Deleting it again");
        requireGone(probe, bucket);
    }

    private static void requireGone(Probe probe, SampleBucket bucket) {
        probe.grant(probe.requests().grant(bucket, probe.newAccount()).build())
                .requireRefused("Access to a bucket that was deleted", GRANT_BUCKET_DOESNOT_EXIST);
    }

    private static DeleteBucketRequest request(Probe probe, SampleBucket bucket) {
        return probe.requests().delete(bucket).build();
    }
}
