package io.bucketwright.cosi.adapter;

import io.bucketwright.cosi.proto.registration.InfoRequest;
import io.bucketwright.cosi.proto.registration.PluginInfo;
import io.bucketwright.cosi.proto.registration.RegistrationGrpc;
import io.bucketwright.cosi.proto.registration.RegistrationStatus;
import io.bucketwright.cosi.proto.registration.RegistrationStatusResponse;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.store.errors.InputText;
import io.grpc.stub.StreamObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the adapter with kubelet, which watches the directory of this socket and calls it. */
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {

    private static final Logger log = LoggerFactory.getLogger(RegistrationService.class);

    private final String driver;
    private final SocketPath csi;

    RegistrationService(String driver, SocketPath csi) {
        this.driver = driver;
        this.csi = csi;
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> observer) {
        NodeService.send(
                observer,
                PluginInfo.newBuilder()
                        .setType("CSIPlugin")
                        .setName(driver)
                        .setEndpoint(csi.path().toString())
                        .addSupportedVersions("1.0.0")
                        .build());
    }

    @Override
    public void notifyRegistrationStatus(
            RegistrationStatus request, StreamObserver<RegistrationStatusResponse> observer) {
        if (request.getPluginRegistered()) {
            log.info("kubelet registered {}", driver);
        } else {
            log.error("kubelet rejected {}: {}", driver, InputText.quote(request.getError()));
        }
        NodeService.send(observer, RegistrationStatusResponse.getDefaultInstance());
    }
}
