package io.bucketwright.app.claim;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant.State;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.grants.GrantLedgerCodec.UnreadableLedgerException;
import io.bucketwright.store.options.Capability;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who can open a bucket, as one object records it.
 *
 * @param selector its kind, as users write it
 * @param name the name of the object
 * @param bucket what the store calls the bucket; empty if that is not known
 * @param record reads it
 */
record RecordedAccess(String selector, String name, String bucket, Rows record) {

    private static final String CLAIM = "ObjectBucketClaim";
    private static final String ACCESS = "BucketAccess";

    /** The rows of one object. */
    private interface Rows {
        List<AccessRow> read() throws UnreadableLedgerException;
    }

    static RecordedAccess of(ObjectBucket object) {
        RecordedBucket bucket = new RecordedBucket(object);
        String inStore = bucket.findIntent()
                .map(BucketIntent::bucketName)
                .or(() -> object.getSpec().reachableAt().flatMap(found -> found.bucket()))
                .orElse("");
        return new RecordedAccess("objectbucket", nameOf(object), inStore, () -> rows(bucket));
    }

    private static List<AccessRow> rows(RecordedBucket bucket) throws UnreadableLedgerException {
        if (bucket.findIntent().isEmpty()) {
            throw new CommandException(
                    bucket + " belongs to another provisioner, which does not record who can open the" + " bucket.");
        }
        boolean released = bucket.object().phase() == Phase.RELEASED;
        Stream<AccessRow> grants =
                bucket.readGrants().ledger().grants().stream().map(grant -> AccessRow.of(CLAIM, grant, released));
        Stream<AccessRow> options = bucket.openingOptions().kinds().stream()
                .sorted()
                .map(kind -> AccessRow.open("option " + kind.text(), opens(kind)));
        return Stream.concat(grants, options).toList();
    }

    private static String opens(Capability kind) {
        return kind == Capability.POLICY
                ? "The claim or its class sets a policy: it names who has access."
                : "The claim or its class sets the option " + kind.text() + ".";
    }

    static RecordedAccess of(ReleasedBucket bucket) {
        String id = bucket.status().bucketID();
        return new RecordedAccess(
                "bucket",
                nameOf(bucket),
                id.isEmpty() ? bucket.spec().existingBucketID() : id,
                () -> GrantLedgerCodec.decode(Metadata.annotation(bucket, ObjectBucketNames.GRANTS)).grants().stream()
                        .map(grant -> AccessRow.of(ACCESS, grant, false))
                        .toList());
    }

    /** @param all all accesses of {@code cosi.io} */
    static RecordedAccess of(Bucket bucket, List<BucketAccess> all) {
        Stream<AccessRow> granted = all.stream()
                .filter(access ->
                        access.getSpec().bucketUid().equals(bucket.getMetadata().getUid()))
                .map(RecordedAccess::row);
        AnonymousAccessMode mode = bucket.getSpec().anonymousAccess();
        Stream<AccessRow> anonymous = mode == AnonymousAccessMode.PRIVATE
                ? Stream.empty()
                : Stream.of(AccessRow.open("anonymous", "spec.anonymousAccessMode of the Bucket is " + mode + "."));
        List<AccessRow> rows = Stream.concat(granted, anonymous).toList();
        return new RecordedAccess(
                "bucket.cosi.io", nameOf(bucket), bucket.getSpec().protocol().bucketName(), () -> rows);
    }

    /** Key ids of that API are in Secrets only, which are not read. */
    private static AccessRow row(BucketAccess access) {
        boolean bound = access.phase().filter(BucketAccessPhase.BOUND::equals).isPresent();
        boolean ends = Metadata.isBeingDeleted(access)
                || access.phase().filter(BucketAccessPhase.RELEASED::equals).isPresent();
        State state = ends ? State.REVOKING : bound ? State.PUBLISHED : State.ISSUING;
        return new AccessRow(
                access.getSpec().bucketAccessRequestNamespace() + "/"
                        + access.getSpec().bucketAccessRequestName(),
                ACCESS,
                access.account(),
                "",
                access.getSpec().applicationSecretName(),
                state.name(),
                Objects.requireNonNullElse(access.getMetadata().getCreationTimestamp(), ""),
                "",
                "BucketAccess " + nameOf(access) + " of cosi.io exists"
                        + access.phase().map(phase -> ", phase " + phase).orElse("") + ".");
    }

    private static String nameOf(HasMetadata object) {
        return object.getMetadata().getName();
    }

    /**
     * The object that a user names.
     *
     * @param wanted a name, or a kind and a name
     * @throws CommandException if there is none, or more than one
     */
    static RecordedAccess select(String wanted, List<RecordedAccess> all) {
        List<RecordedAccess> found = all.stream()
                .filter(one -> wanted.equals(one.title()) || wanted.equals(one.name) || wanted.equals(one.bucket))
                .toList();
        if (found.isEmpty()) {
            throw new CommandException("No ObjectBucket, no Bucket of COSI and no bucket that they use has the name "
                    + wanted + ". `bucketwright bucket list` lists the buckets of a store.");
        }
        if (found.size() > 1) {
            throw new CommandException("Several have the name " + wanted + ": "
                    + found.stream().map(RecordedAccess::title).collect(Collectors.joining(", "))
                    + ". Use one of these.");
        }
        return found.getFirst();
    }

    /** Kind and name: one object of the cluster. */
    String title() {
        return selector + "/" + name;
    }

    /** @throws CommandException if the record cannot be read */
    List<AccessRow> rows() {
        try {
            return record.read();
        } catch (UnreadableLedgerException e) {
            throw new CommandException(
                    "The record of " + title() + ", " + ObjectBucketNames.GRANTS + ", " + e.getMessage() + ".", e);
        }
    }
}
