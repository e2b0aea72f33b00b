package io.bucketwright.store.azure;

import io.bucketwright.store.ContentsDeletion.Contents;
import io.bucketwright.store.ContentsDeletion.Deleted;
import io.bucketwright.store.ContentsDeletion.Page;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.azure.BlobXml.Blob;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.http.ParallelRequests;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Deletes blobs of one container, with their leases. */
record BlobDeletion(ContainerContents contents, StoreCall call, BucketName bucket) implements Contents<Blob> {

    private static final String DELETE_SNAPSHOTS = "x-ms-delete-snapshots";

    /** The response to the deletion of a directory with the snapshots that it cannot have. */
    private static final String DIRECTORY = "OperationNotSupportedOnDirectory";

    private static final Set<String> DIRECTORY_CODES = Set.of(DIRECTORY, "DirectoryIsNotEmpty", "DirectoryNotEmpty");

    private static final int PARALLEL = 10;

    /**
     * A blob that cannot be deleted.
     *
     * @param refusal the response of the store
     * @param directory whether it can be deleted after its contents: a directory of a hierarchical namespace
     */
    private record KeptBlob(Blob blob, StoreException refusal, boolean directory) {

        Deleted deleted() {
            return new Deleted(0, 1, InputText.quote(blob.name()) + ". " + refusal.getMessage());
        }
    }

    @Override
    public Page<Blob> first() {
        return contents.page(call, bucket, "");
    }

    @Override
    public String name(Blob blob) {
        return blob.name();
    }

    /** A directory of a hierarchical namespace. */
    @Override
    public boolean isDeletedAfterOthers() {
        return true;
    }

    @Override
    public String holder() {
        return "The container " + bucket;
    }

    @Override
    public String reason(Deleted deleted) {
        return "holds blobs that cannot be deleted. One is " + deleted.example();
    }

    /** Deletes blobs at the same time, and directories after their contents, which a list has behind them. */
    @Override
    public Deleted delete(List<Blob> blobs) {
        List<Callable<Optional<KeptBlob>>> deletions = new ArrayList<>();
        blobs.forEach(blob -> deletions.add(() -> delete(blob)));
        List<KeptBlob> kept;
        try (ParallelRequests parallel = new ParallelRequests(PARALLEL)) {
            kept = parallel.send(deletions).stream().flatMap(Optional::stream).toList();
        }
        Deleted left = kept.reversed().stream()
                .flatMap(blob -> blob.directory() ? delete(blob.blob()).stream() : Stream.of(blob))
                .map(KeptBlob::deleted)
                .reduce(Deleted.NONE, Deleted::plus);
        return new Deleted(blobs.size() - left.kept(), 0, "").plus(left);
    }

    /**
     * Deletes a blob.
     *
     * @return the blob if it cannot be deleted
     */
    private Optional<KeptBlob> delete(Blob blob) {
        BlobRequest plain = request("DELETE", blob);
        BlobRequest request = plain;
        if (!blob.snapshot().isEmpty()) {
            request = request.query("snapshot", blob.snapshot());
        } else if (!blob.version().isEmpty()) {
            request = request.query("versionid", blob.version());
        } else {
            request = request.header(DELETE_SNAPSHOTS, "include");
        }
        HttpResponse<byte[]> response = contents.service().exchange(call, request);
        switch (BlobErrors.code(response)) {
            case "LeaseIdMissing" -> {
                breakLease(blob);
                response = contents.service().exchange(call, request);
            }
            case DIRECTORY -> response = contents.service().exchange(call, plain);
            default -> {
                // There is no other way to delete the blob.
            }
        }
        String code = BlobErrors.code(response);
        if (BlobErrors.isConflict(response) || DIRECTORY_CODES.contains(code)) {
            StoreException refusal = BlobErrors.translate(request.action(), response);
            return Optional.of(new KeptBlob(blob, refusal, DIRECTORY_CODES.contains(code)));
        }
        try {
            contents.service().require(request, response);
        } catch (NotFound uncommittedOrDeleted) {
            if (blob.snapshot().isEmpty() && blob.version().isEmpty() && blob.length() == 0) {
                deleteUncommitted(blob);
            }
        }
        return Optional.empty();
    }

    /** An application can acquire a lease that never ends. Only whoever knows its id could delete the blob. */
    private void breakLease(Blob blob) {
        // The next deletion shows whether this succeeded: the lease can have ended, or the blob can be deleted
        // meanwhile.
        HttpResponse<byte[]> _ = contents.service()
                .exchange(
                        call,
                        request("PUT", blob)
                                .query("comp", "lease")
                                .header("x-ms-lease-action", "break")
                                .header("x-ms-lease-break-period", "0"));
    }

    /** Blocks that were uploaded and not committed cannot be deleted; a blob of that name replaces them. */
    private void deleteUncommitted(Blob blob) {
        contents.service().send(call, request("PUT", blob).header("x-ms-blob-type", "BlockBlob"));
        Absence.ignore(() -> contents.service().send(call, request("DELETE", blob)));
    }

    private BlobRequest request(String method, Blob blob) {
        return BlobRequest.blob("delete a blob of the container " + bucket, method, bucket, blob.name());
    }
}
