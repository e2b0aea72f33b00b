package io.bucketwright.cosi.flow;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.fixture.CosiFixture;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Controller, sidecar, driver and a store; requests for the protocol of the store in a namespace of their own. */
class StoreFlow extends CosiFixture {

    private static final String ADMINISTRATOR = "administrator";

    final SocketPath socket;
    private final DataProtocol protocol;

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
        this.protocol = protocol;
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
                new DriverSettings(provisioner.name(), store, parameters),
                Stores.installed(),
                DriverCredentials.none());
        open.push(driver::close);
        open.push(SocketServer.start(socket, List.of(driver))::close);
    }

    final ControllerProcess sidecar(ApiUser user) {
        return started(ClientOptions.config(CosiSidecar.builder(), user.config())
                .provisioner(provisioner.toString())
                .driver(socket.toString())
                // The first call loads the client of the store; on a busy machine that takes more than the default.
                .driverTimeout(Duration.ofMinutes(1))
                .build());
    }

    @Override
    public final String bucketClass() {
        return bucketClass(
                "class",
                bucketClass -> bucketClass.setParameters(Map.of(CosiNames.PROVISIONER_SECRET_NAME, ADMINISTRATOR)));
    }

    /** The content of the application's Secret. */
    final Map<String, String> credentials(String name) {
        return content(namespace(), name);
    }

    /** Requests a rotation, waits until this key differs from the former one, and returns the new credentials. */
    final Map<String, String> rotate(String name, Map<String, String> former, String key) {
        String due = Instant.now().minusSeconds(1).toString();
        edit(accessRequest(name), request -> request.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, due)));
        Eventually.await("a new " + key)
                .until(() -> !credentials(name).getOrDefault(key, "").equals(former.getOrDefault(key, "")));
        return credentials(name);
    }

    /** Deletes both requests of this name, and waits until nothing is left of them. */
    final void release(String name) {
        deleteBoth(name, name);
        Eventually.await("the deletion of everything")
                .until(() -> buckets().isEmpty()
                        && accesses().isEmpty()
                        && credentials(name).isEmpty());
    }

    @Override
    protected final String protocol() {
        return switch (protocol) {
            case S3 -> "s3";
            case AZURE_BLOB -> "azureBlob";
            case GCS -> "gcs";
            case PROTOCOL_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException(protocol.toString());
        };
    }
}
