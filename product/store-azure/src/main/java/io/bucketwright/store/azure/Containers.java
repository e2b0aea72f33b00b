package io.bucketwright.store.azure;

import io.bucketwright.store.BucketPage;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The containers of a storage account, their metadata and who has access to them. */
record Containers(BlobService service) implements AutoCloseable {

    private static final String PUBLIC_ACCESS = "x-ms-blob-public-access";

    /** As many containers as one request lists. */
    private static final String PAGE = "500";

    /**
     * Makes a change that nobody else can interfere with.
     *
     * @throws NotFound if the container does not exist
     */
    <T> T change(StoreCall call, BucketName bucket, BucketOwner owner, Function<ContainerLease, T> change) {
        return ContainerLease.whileHeld(call, service, bucket, owner, change);
    }

    /**
     * Creates a container with its tags, in one request.
     *
     * @throws Taken if a container of that name exists
     */
    void create(StoreCall call, BucketName bucket, Map<String, String> tags) {
        BlobRequest request = BlobRequest.container("create the container " + bucket, "PUT", bucket);
        try {
            service.send(call, MetadataNames.addTo(request, tags));
        } catch (NotFound beingDeleted) {
            throw new Unavailable(
                    "Could not create the container " + bucket
                            + ": Azure is still deleting a container of that name, which takes 30 seconds or more.",
                    beingDeleted);
        }
    }

    /** The ownership tags of a container; empty if it does not exist. */
    Optional<OwnershipTags> ownership(StoreCall call, BucketName bucket) {
        return Absence.toEmpty(() -> OwnershipTags.read(tags(call, bucket)));
    }

    /**
     * All tags of a container, including ownership tags.
     *
     * @throws NotFound if the container does not exist
     */
    Map<String, String> tags(StoreCall call, BucketName bucket) {
        HttpResponse<byte[]> response = service.send(
                call, BlobRequest.container("read the metadata of the container " + bucket, "HEAD", bucket));
        return MetadataNames.tags(response.headers());
    }

    /** A part of the list of all containers, whose metadata is in the same response. */
    BucketPage list(StoreCall call, String from) {
        BlobRequest request = BlobRequest.service("list the containers", "GET")
                .query("comp", "list")
                .query("include", "metadata")
                .query("maxresults", PAGE);
        return BlobXml.containers(service.send(call, from.isEmpty() ? request : request.query("marker", from))
                .body());
    }

    /** Replaces all tags. */
    void putTags(StoreCall call, ContainerLease lease, Map<String, String> tags) {
        BlobRequest request = BlobRequest.container(
                        "set the metadata of the container " + lease.bucket(), "PUT", lease.bucket())
                .query("comp", "metadata");
        lease.send(call, MetadataNames.addTo(request, tags));
    }

    /**
     * Who has access to a container.
     *
     * @throws NotFound if the container does not exist
     */
    ContainerAcl acl(StoreCall call, BucketName bucket) {
        HttpResponse<byte[]> response = service.send(
                call,
                BlobRequest.container("read the access policies of the container " + bucket, "GET", bucket)
                        .query("comp", "acl"));
        return new ContainerAcl(
                response.headers().firstValue(PUBLIC_ACCESS).orElse(""), BlobXml.policies(response.body()));
    }

    /** Replaces who has access to a container, if nobody has done that since the lease was acquired. */
    void putAcl(StoreCall call, ContainerLease lease, ContainerAcl acl) {
        BucketName bucket = lease.bucket();
        BlobRequest request = BlobRequest.container("set the access policies of the container " + bucket, "PUT", bucket)
                .query("comp", "acl")
                .body(BlobXml.policies(acl.policies()));
        lease.sendIfUnmodified(
                call, acl.publicAccess().isEmpty() ? request : request.header(PUBLIC_ACCESS, acl.publicAccess()));
    }

    /** Deletes a container and everything in it. */
    void delete(StoreCall call, ContainerLease lease) {
        Absence.ignore(() -> service.send(
                call,
                lease.addTo(
                        BlobRequest.container("delete the container " + lease.bucket(), "DELETE", lease.bucket()))));
        lease.end();
    }

    @Override
    public void close() {
        service.close();
    }
}
