package io.bucketwright.app.fuzz;

import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.buckets.OrphanCollector;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.cosi.controller.claims.BucketClaimController;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.cosi.sidecar.released.ReleasedSidecar;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.volumes.directories.DirectoryProvisioner;
import io.bucketwright.volumes.podclaims.PodClaimProvisioner;
import io.bucketwright.volumes.releaser.VolumeReleaser;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Every role in one process, with an S3 store, a COSI driver and a root for directories, and the classes of an administrator.
 * {@link ControllersProcess} starts it.
 */
final class AllControllers implements AutoCloseable {

    private static final String DRIVER = "s3.bucketwright.io";

    private final ControllerProcess process;
    private final ControllerProcess released;
    private final CosiDriver driver;
    private final SocketServer socket;

    /** Starts, prints the ports of its two processes, and prints the memory in use at each line of the input, until the input ends. */
    @SuppressWarnings("SystemOut") // what the starting process reads
    public static void main(String[] arguments) throws Exception {
        StoreAccess store = ControllersProcess.store(System.getenv());
        ApiUser user = new ApiUser(arguments[0], Path.of(arguments[1]));
        try (AllControllers controllers = new AllControllers(user, store, arguments[2], Path.of(arguments[3]));
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(controllers.process.port());
            System.out.println(controllers.released.port());
            while (input.readLine() != null) {
                System.gc();
                System.out.println(Runtime.getRuntime().totalMemory()
                        - Runtime.getRuntime().freeMemory());
            }
        }
    }

    /**
     * Starts all roles for the classes of one namespace.
     *
     * @param folder of the driver's socket and of the root for directories
     */
    private AllControllers(ApiUser user, StoreAccess store, String namespace, Path folder)
            throws IOException, InterruptedException {
        Map<String, String> s3 = Map.of("endpoint", store.endpoint(), "iamEndpoint", store.iamEndpoint());
        AdministratorSecret secret = new AdministratorSecret(Map.of(
                "AWS_ACCESS_KEY_ID", SecretValue.of(store.accessKeyId()),
                "AWS_SECRET_ACCESS_KEY", SecretValue.of(store.secretAccessKey())));
        driver = new CosiDriver(new DriverSettings(DRIVER, "s3", s3), Stores.installed(), () -> secret);
        SocketPath path = new SocketPath(folder.resolve("cosi.sock"));
        socket = SocketServer.start(path, List.of(driver));
        process =
                ClientOptions.config(ControllerProcess.builder(), user.config()).build();
        BucketProvisioner.builder()
                .provisioner(namespace + ".test/bucket")
                .stores(Stores.installed(), "s3")
                .addTo(process);
        OrphanCollector.builder().dryRun(true).addTo(process);
        CosiController.builder().addTo(process);
        CosiSidecar.builder()
                .provisioner(namespace + "/" + DRIVER)
                .driver("unix://" + path.path())
                .addTo(process);
        PodClaimProvisioner.builder().controllerId(namespace).addTo(process);
        VolumeReleaser.builder().controllerId(namespace).addTo(process);
        DirectoryProvisioner.builder()
                .classes(namespace + "-directory")
                .root(Files.createDirectories(folder.resolve("root")))
                .addTo(process);
        released = released(user, driver);
        process.start().awaitReady();
        released.awaitReady();
    }

    /** The controllers of the released kinds of COSI, for the same driver: a process has one sidecar. */
    private static ControllerProcess released(ApiUser user, CosiDriver driver) {
        ControllerProcess process =
                ClientOptions.config(ControllerProcess.builder(), user.config()).build();
        BucketClaimController.builder().addTo(process);
        ReleasedSidecar.builder().driverName(DRIVER).driver(driver::services).addTo(process);
        return process.start();
    }

    /** The classes, with the namespace's name as prefix, and the administrator's Secret. */
    static void createClasses(KubernetesClient admin, StoreAccess store, String name) {
        admin.load(new ByteArrayInputStream("""
                apiVersion: v1
                kind: Secret
                metadata: {name: administrator, namespace: NAME}
                stringData: {AWS_ACCESS_KEY_ID: "@KEY@", AWS_SECRET_ACCESS_KEY: "@VALUE@"}
                ---
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: NAME-s3}
                provisioner: NAME.test/bucket
                parameters:
                  endpoint: "@ENDPOINT@"
                  iamEndpoint: "@IAM@"
                  secretName: administrator
                  secretNamespace: NAME
                  allowedOptions: versioning,tags,prefix,lifecycle,cors,cannedAcl
                ---
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: NAME-directory}
                provisioner: NAME.test/directory
                parameters: {defaultOwnerAssetUid: "1000", defaultOwnerAssetGid: "1000", maxSize: 1Gi}
                ---
                apiVersion: cosi.io/v1alpha1
                kind: BucketClass
                metadata: {name: NAME-photos}
                provisioner: NAME/s3.bucketwright.io
                protocol: s3
                releasePolicy: Delete
                ---
                apiVersion: cosi.io/v1alpha1
                kind: BucketAccessClass
                metadata: {name: NAME-read}
                provisioner: NAME/s3.bucketwright.io
                protocol: s3
                policyActions: {allow: ["s3:GetObject"]}
                ---
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketClass
                metadata: {name: NAME-released}
                driverName: s3.bucketwright.io
                deletionPolicy: Delete
                ---
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketAccessClass
                metadata: {name: NAME-released}
                driverName: s3.bucketwright.io
                authenticationType: Key
                """.replace("NAME", name)
                        .replace("@KEY@", store.accessKeyId())
                        .replace("@VALUE@", store.secretAccessKey())
                        .replace("@ENDPOINT@", store.endpoint())
                        .replace("@IAM@", store.iamEndpoint())
                        .getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> admin.resource(object).create());
    }

    @Override
    public void close() {
        released.close();
        process.close();
        socket.close();
        driver.close();
    }
}
