package io.bucketwright.cosi.adapter;

import io.bucketwright.cosi.proto.csi.GetPluginCapabilitiesRequest;
import io.bucketwright.cosi.proto.csi.GetPluginCapabilitiesResponse;
import io.bucketwright.cosi.proto.csi.GetPluginInfoRequest;
import io.bucketwright.cosi.proto.csi.GetPluginInfoResponse;
import io.bucketwright.cosi.proto.csi.IdentityGrpc;
import io.bucketwright.cosi.proto.csi.ProbeRequest;
import io.bucketwright.cosi.proto.csi.ProbeResponse;
import io.grpc.stub.StreamObserver;

/** Who the adapter is, as CSI asks. */
final class IdentityService extends IdentityGrpc.IdentityImplBase {

    private static final String VERSION = "0.1.0";

    private final String driver;

    IdentityService(String driver) {
        this.driver = driver;
    }

    @Override
    public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
        NodeService.send(
                observer,
                GetPluginInfoResponse.newBuilder()
                        .setName(driver)
                        .setVendorVersion(VERSION)
                        .build());
    }

    /** None: there is nothing here but nodes. */
    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> observer) {
        NodeService.send(observer, GetPluginCapabilitiesResponse.getDefaultInstance());
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
        NodeService.send(observer, ProbeResponse.getDefaultInstance());
    }
}
