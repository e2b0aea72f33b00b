package io.bucketwright.cosi.adapter;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.cosi.proto.csi.NodeGetCapabilitiesRequest;
import io.bucketwright.cosi.proto.csi.NodeGetCapabilitiesResponse;
import io.bucketwright.cosi.proto.csi.NodeGetInfoRequest;
import io.bucketwright.cosi.proto.csi.NodeGetInfoResponse;
import io.bucketwright.cosi.proto.csi.NodeGrpc;
import io.bucketwright.cosi.proto.csi.NodePublishVolumeRequest;
import io.bucketwright.cosi.proto.csi.NodePublishVolumeResponse;
import io.bucketwright.cosi.proto.csi.NodeServiceCapability;
import io.bucketwright.cosi.proto.csi.NodeUnpublishVolumeRequest;
import io.bucketwright.cosi.proto.csi.NodeUnpublishVolumeResponse;
import io.bucketwright.runtime.client.ApiException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What kubelet calls for a volume. Each call may be repeated; two calls for one target never run at once. */
final class NodeService extends NodeGrpc.NodeImplBase {

    /** One call's work. */
    private interface Work<R> {
        R done() throws IOException, InterruptedException;
    }

    private final String node;
    private final Path pods;
    private final VolumeMounts mounts;
    private final BoundAccessWaiter gate;
    private final AccessSecretCheck secrets;
    private final Supplier<List<String>> violations;
    private final Set<Path> busy = ConcurrentHashMap.newKeySet();
    /** Digests of what this process wrote: a volume is never read to learn what it contains. */
    private final Map<Path, String> written = new ConcurrentHashMap<>();

    NodeService(
            String node,
            Path pods,
            VolumeMounts mounts,
            BoundAccessWaiter gate,
            AccessSecretCheck secrets,
            Supplier<List<String>> violations) {
        this.node = node;
        this.pods = pods;
        this.mounts = mounts;
        this.gate = gate;
        this.secrets = secrets;
        this.violations = violations;
    }

    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> observer) {
        send(observer, NodeGetInfoResponse.newBuilder().setNodeId(node).build());
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> observer) {
        // kubelet sends the pod's group with the call, so the files have it before anybody can read them.
        NodeServiceCapability.RPC.Builder mountGroup =
                NodeServiceCapability.RPC.newBuilder().setType(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);
        send(
                observer,
                NodeGetCapabilitiesResponse.newBuilder()
                        .addCapabilities(NodeServiceCapability.newBuilder().setRpc(mountGroup))
                        .build());
    }

    @Override
    public void nodePublishVolume(
            NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> observer) {
        answer(observer, () -> {
            PublishRequest publication = PublishRequest.of(request, pods);
            return alone(publication.target(), () -> publish(publication));
        });
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> observer) {
        answer(observer, () -> {
            TargetPath target = TargetPath.of(request.getTargetPath(), pods);
            return alone(target, () -> {
                written.remove(target.path());
                mounts.remove(target);
                return NodeUnpublishVolumeResponse.getDefaultInstance();
            });
        });
    }

    private NodePublishVolumeResponse publish(PublishRequest publication) throws IOException, InterruptedException {
        List<String> wrong = violations.get();
        if (!wrong.isEmpty()) {
            throw failure(Status.FAILED_PRECONDITION, "The CSIDriver is invalid: " + String.join("; ", wrong) + ".");
        }
        TargetPath target = publication.target();
        Map<String, byte[]> files = BucketInfo.files(publication.accessRequest(), publication.secrets());
        if (!mounts.isPublished(target)) {
            requireBound(publication);
            create(publication, files);
        } else if (!publication.secrets().isEmpty()) {
            write(publication, files);
        }
        return NodePublishVolumeResponse.getDefaultInstance();
    }

    /** Leaves nothing mounted if it fails: kubelet may never ask for this volume again. */
    private void create(PublishRequest publication, Map<String, byte[]> files) throws IOException {
        TargetPath target = publication.target();
        written.remove(target.path());
        try {
            mounts.create(target);
            write(publication, files);
            mounts.publish(target);
        } catch (IOException | RuntimeException e) {
            removeAfter(e, target);
            throw e;
        }
    }

    private void removeAfter(Exception failure, TargetPath target) {
        written.remove(target.path());
        try {
            mounts.remove(target);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void write(PublishRequest publication, Map<String, byte[]> files) throws IOException {
        TargetPath target = publication.target();
        String digest = VolumeFiles.digest(files);
        if (!digest.equals(written.get(target.path()))) {
            new VolumeFiles(mounts.store(target), publication.group()).write(files);
            written.put(target.path(), digest);
        }
    }

    private void requireBound(PublishRequest publication) throws InterruptedException {
        BucketAccessRequest bound = gate.await(publication.namespace(), publication.accessRequest());
        secrets.violation(publication, bound).ifPresent(violation -> {
            throw failure(Status.FAILED_PRECONDITION, violation);
        });
    }

    private <R> R alone(TargetPath target, Work<R> work) throws IOException, InterruptedException {
        if (!busy.add(target.path())) {
            throw failure(Status.ABORTED, "Another call for " + target + " is in flight.");
        }
        try {
            return work.done();
        } finally {
            busy.remove(target.path());
        }
    }

    private static <R> void answer(StreamObserver<R> observer, Work<R> work) {
        try {
            send(observer, work.done());
        } catch (StatusRuntimeException e) {
            observer.onError(e);
        } catch (IllegalArgumentException e) {
            observer.onError(failure(Status.INVALID_ARGUMENT, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            observer.onError(failure(Status.INTERNAL, String.valueOf(e.getMessage())));
        } catch (ApiException e) {
            observer.onError(failure(Status.UNAVAILABLE, String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            observer.onError(failure(Status.UNAVAILABLE, "The adapter is shutting down."));
        }
    }

    private static StatusRuntimeException failure(Status status, String message) {
        return status.withDescription(message).asRuntimeException();
    }

    /** Answers a call with one message. */
    static <R> void send(StreamObserver<R> observer, R response) {
        observer.onNext(response);
        observer.onCompleted();
    }
}
