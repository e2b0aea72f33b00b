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
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
    private final TmpfsMounts mounts;
    private final BoundAccessWaiter gate;
    private final Supplier<List<String>> violations;
    private final Set<Path> busy = ConcurrentHashMap.newKeySet();

    NodeService(String node, Path pods, TmpfsMounts mounts, BoundAccessWaiter gate, Supplier<List<String>> violations) {
        this.node = node;
        this.pods = pods;
        this.mounts = mounts;
        this.gate = gate;
        this.violations = violations;
    }

    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> observer) {
        observer.onNext(NodeGetInfoResponse.newBuilder().setNodeId(node).build());
        observer.onCompleted();
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> observer) {
        // kubelet sends the pod's group with the call, so the files have it before anybody can read them.
        observer.onNext(NodeGetCapabilitiesResponse.newBuilder()
                .addCapabilities(NodeServiceCapability.newBuilder()
                        .setRpc(NodeServiceCapability.RPC
                                .newBuilder()
                                .setType(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP)))
                .build());
        observer.onCompleted();
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
                mounts.unmount(target);
                target.remove();
                return NodeUnpublishVolumeResponse.getDefaultInstance();
            });
        });
    }

    private NodePublishVolumeResponse publish(PublishRequest publication) throws IOException, InterruptedException {
        List<String> wrong = violations.get();
        if (!wrong.isEmpty()) {
            throw Status.FAILED_PRECONDITION
                    .withDescription("The CSIDriver is not as it must be: " + String.join("; ", wrong) + ".")
                    .asRuntimeException();
        }
        TargetPath target = publication.target();
        VolumeFiles files = new VolumeFiles(target.path(), publication.group());
        boolean published = mounts.isOurs(target) && files.complete();
        if (!published) {
            requireBound(publication);
            target.create();
            if (!mounts.isOurs(target)) {
                mounts.mount(target, publication.group());
            }
        }
        if (!published || !publication.secrets().isEmpty()) {
            files.write(BucketInfo.files(publication.accessRequest(), publication.secrets()));
        }
        return NodePublishVolumeResponse.getDefaultInstance();
    }

    private void requireBound(PublishRequest publication) throws InterruptedException {
        switch (gate.await(publication.namespace(), publication.accessRequest())) {
            case BoundAccessWaiter.Outcome.Closed(String why) ->
                throw Status.UNAVAILABLE.withDescription(why).asRuntimeException();
            case BoundAccessWaiter.Outcome.Open(BucketAccessRequest bound) -> {
                if (publication.secrets().isEmpty()
                        && bound.getSpec().serviceAccountName().isEmpty()) {
                    throw Status.FAILED_PRECONDITION
                            .withDescription("BucketAccessRequest " + publication.shownName()
                                    + " is Bound, but the volume's nodePublishSecretRef does not name the Secret with"
                                    + " its credentials.")
                            .asRuntimeException();
                }
            }
        }
    }

    private <R> R alone(TargetPath target, Work<R> work) throws IOException, InterruptedException {
        if (!busy.add(target.path())) {
            throw Status.ABORTED
                    .withDescription("Another call for " + target + " is under way.")
                    .asRuntimeException();
        }
        try {
            return work.done();
        } finally {
            busy.remove(target.path());
        }
    }

    private static <R> void answer(StreamObserver<R> observer, Work<R> work) {
        try {
            observer.onNext(work.done());
            observer.onCompleted();
        } catch (StatusRuntimeException e) {
            observer.onError(e);
        } catch (IllegalArgumentException e) {
            observer.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
        } catch (IOException e) {
            observer.onError(Status.INTERNAL
                    .withDescription(String.valueOf(e.getMessage()))
                    .asRuntimeException());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            observer.onError(Status.UNAVAILABLE
                    .withDescription("The adapter is shutting down.")
                    .asRuntimeException());
        }
    }
}
