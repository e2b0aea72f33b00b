package io.bucketwright.cosi.flow;

import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.bench.CosiBench;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Controller, sidecar, driver and a store; requests for the protocol of the store in a namespace of their own. */
final class StoreFlow extends CosiBench {

    private static final String ADMINISTRATOR = "administrator";
    private final String protocol;
    private final SocketPath socket;
    private final TestCluster cluster;

    /**
     * Starts the driver.
     *
     * @param store the kind of store
     * @param parameters of the driver
     * @param administrator the content of the administrator's Secret
     */
    StoreFlow(
            TestCluster cluster,
            Path folder,
            String store,
            DataProtocol protocol,
            Map<String, String> parameters,
            Map<String, String> administrator) {
        super(cluster, cluster.namespace() + "-tenant", new Provisioner(cluster.namespace(), store + ".test"));
        this.cluster = cluster;
        this.protocol = text(protocol);
        this.socket = new SocketPath(folder.resolve("cosi.sock"));
        create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(provisioner.namespace())
                .withName(ADMINISTRATOR)
                .withLabels(Map.of("cosi.io/provisioner-secret", "true"))
                .endMetadata()
                .withStringData(administrator)
                .build());
        CosiDriver driver = new CosiDriver(
                new DriverSettings(provisioner.name(), store, protocol, parameters),
                Stores.installed(),
                DriverCredentials.none());
        open.push(driver::close);
        open.push(SocketServer.start(socket, List.of(driver))::close);
    }

    ControllerProcess sidecar(ApiUser user) {
        return started(ClientOptions.config(CosiSidecar.builder(), user.config())
                .provisioner(provisioner.toString())
                .driver(socket.toString())
                .driverTimeout(Duration.ofMinutes(1))
                .build());
    }

    @Override
    public String bucketClass() {
        return bucketClass("class", bucketClass -> {
            bucketClass.setProtocol(protocol);
            bucketClass.setParameters(Map.of(CosiNames.PROVISIONER_SECRET_NAME, ADMINISTRATOR));
        });
    }

    @Override
    public String accessClass() {
        BucketAccessClass accessClass = new BucketAccessClass();
        accessClass.setMetadata(new ObjectMetaBuilder()
                .withName(cluster.namespace() + "-access")
                .build());
        accessClass.setProvisioner(provisioner.toString());
        accessClass.setProtocol(protocol);
        return create(accessClass).getMetadata().getName();
    }

    @Override
    public BucketRequest createRequest(String inNamespace, String name, Object... fields) {
        BucketRequest request = new BucketRequest();
        request.setMetadata(new ObjectMetaBuilder()
                .withNamespace(inNamespace)
                .withName(name)
                .build());
        request.setSpec(Specs.with(Specs.of(BucketRequestSpec.class, fields), "protocol", protocol));
        return admin().resource(request).create();
    }

    /** The content of the application's Secret. */
    Map<String, String> credentials(String name) {
        return content(namespace(), name);
    }

    private static String text(DataProtocol protocol) {
        return switch (protocol) {
            case S3 -> "s3";
            case AZURE_BLOB -> "azureBlob";
            case GCS -> "gcs";
            case PROTOCOL_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException(protocol.toString());
        };
    }
}
