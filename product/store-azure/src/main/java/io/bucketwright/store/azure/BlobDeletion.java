package io.bucketwright.store.azure;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.http.ParallelRequests;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** Deletes blobs of one container, with their leases. */
record BlobDeletion(BlobService service, StoreCall call, BucketName bucket) {

    private static final String DELETE_SNAPSHOTS = "x-ms-delete-snapshots";

    /** The response to the deletion of a directory with the snapshots that it cannot have. */
    private static final String DIRECTORY = "OperationNotSupportedOnDirectory";

    private static final Set<String> DIRECTORY_CODES = Set.of(DIRECTORY, "DirectoryIsNotEmpty", "DirectoryNotEmpty");

    /**
     * A blob that cannot be deleted.
     *
     * @param refusal the response of the store
     * @param directory whether it can be deleted after its contents: a directory of a hierarchical namespace
     */
    record KeptBlob(BlobXml.Blob blob, StoreException refusal, boolean directory) {}

    /**
     * Deletes blobs at the same time.
     *
     * @return what cannot be deleted
     */
    List<KeptBlob> deleteTogether(List<BlobXml.Blob> blobs) {
        List<Callable<Optional<KeptBlob>>> deletions = new ArrayList<>();
        blobs.forEach(blob -> deletions.add(() -> delete(blob)));
        try (ParallelRequests parallel = new ParallelRequests(blobs.size())) {
            return parallel.send(deletions).stream().flatMap(Optional::stream).toList();
        }
    }

    /**
     * Deletes a blob.
     *
     * @return the blob if it cannot be deleted
     */
    Optional<KeptBlob> delete(BlobXml.Blob blob) {
        BlobRequest plain = request("DELETE", blob);
        BlobRequest request = plain;
        if (!blob.snapshot().isEmpty()) {
            request = request.query("snapshot", blob.snapshot());
        } else if (!blob.version().isEmpty()) {
            request = request.query("versionid", blob.version());
        } else {
            request = request.header(DELETE_SNAPSHOTS, "include");
        }
        HttpResponse<byte[]> response = service.exchange(call, request);
        switch (BlobErrors.code(response)) {
            case "LeaseIdMissing" -> {
                breakLease(blob);
                response = service.exchange(call, request);
            }
            case DIRECTORY -> response = service.exchange(call, plain);
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
            service.require(request, response);
        } catch (NotFound uncommittedOrDeleted) {
            if (blob.snapshot().isEmpty() && blob.version().isEmpty() && blob.length() == 0) {
                deleteUncommitted(blob);
            }
        }
        return Optional.empty();
    }

    /** An application can acquire a lease that never ends. Only whoever knows its id could delete the blob. */
    private void breakLease(BlobXml.Blob blob) {
        // The next deletion shows whether this succeeded: the lease can have ended, or the blob can be deleted
        // meanwhile.
        HttpResponse<byte[]> _ = service.exchange(
                call,
                request("PUT", blob)
                        .query("comp", "lease")
                        .header("x-ms-lease-action", "break")
                        .header("x-ms-lease-break-period", "0"));
    }

    /** Blocks that were uploaded and not committed cannot be deleted; a blob of that name replaces them. */
    private void deleteUncommitted(BlobXml.Blob blob) {
        service.send(call, request("PUT", blob).header("x-ms-blob-type", "BlockBlob"));
        Absence.ignore(() -> service.send(call, request("DELETE", blob)));
    }

    private BlobRequest request(String method, BlobXml.Blob blob) {
        return BlobRequest.blob("delete a blob of the container " + bucket, method, bucket, blob.name());
    }
}
