package io.bucketwright.app.monitoring;

import io.bucketwright.app.ClaimingPod;
import io.bucketwright.app.ProcessEndpoint;
import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.buckets.OrphanCollector;
import io.bucketwright.buckets.stores.StoreMetrics;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.volumes.directories.DirectoryProvisioner;
import io.bucketwright.volumes.podclaims.PodClaimProvisioner;
import io.bucketwright.volumes.releaser.VolumeReleaser;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Every role in one process, as an operator runs them: with leases, and with the measuring of usage. */
final class MonitoredProcess implements AutoCloseable {

    private static final LeaseTiming LEASE = LeaseTiming.lasting(Duration.ofSeconds(3));
    private static final Duration USAGE = Duration.ofMillis(500);

    private final ControllerProcess process;
    private final CosiDriver driver;

    MonitoredProcess(ApiUser user, String namespace, Path folder) throws IOException, InterruptedException {
        process =
                ClientOptions.config(ControllerProcess.builder(), user.config()).build();
        driver = new CosiDriver(
                new DriverSettings("none.bucketwright.io", "none", Map.of()),
                Stores.installed(),
                AdministratorSecret::none,
                new StoreMetrics(process.meters()));
        BucketProvisioner.builder()
                .provisioner("test.io/bucket")
                .stores(Stores.installed(), "none")
                .usageInterval(USAGE)
                .lease(namespace, "buckets", LEASE)
                .addTo(process);
        OrphanCollector.builder().lease(namespace, "orphans", LEASE).addTo(process);
        CosiController.builder().lease(namespace, "cosi", LEASE).addTo(process);
        CosiSidecar.builder()
                .provisioner(namespace + "/none.bucketwright.io")
                .driver(driver::services)
                .lease(namespace, "cosi-sidecar", LEASE)
                .addTo(process);
        PodClaimProvisioner.builder()
                .controllerId("test")
                .lease(namespace, "pod-claims", LEASE)
                .addTo(process);
        VolumeReleaser.builder()
                .controllerId("test")
                .lease(namespace, "releaser", LEASE)
                .addTo(process);
        DirectoryProvisioner.builder()
                .classes("directory")
                .root(Files.createDirectories(folder.resolve("root")))
                .usageInterval(USAGE)
                .lease(namespace, "directories", LEASE)
                .addTo(process);
        process.start().awaitReady();
    }

    /** The classes of an administrator, and one object of each kind that a tenant creates. */
    static void create(KubernetesClient admin, String namespace) {
        admin.load(new ByteArrayInputStream("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: bucket}
                provisioner: test.io/bucket
                ---
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: failing}
                provisioner: test.io/bucket
                parameters: {failurePercent: "100"}
                ---
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: directory}
                provisioner: test.io/directory
                parameters: {defaultOwnerAssetUid: "1000", defaultOwnerAssetGid: "1000"}
                ---
                apiVersion: cosi.io/v1alpha1
                kind: BucketClass
                metadata: {name: photos}
                provisioner: NAMESPACE/none.bucketwright.io
                protocol: s3
                releasePolicy: Delete
                ---
                apiVersion: cosi.io/v1alpha1
                kind: BucketAccessClass
                metadata: {name: read}
                provisioner: NAMESPACE/none.bucketwright.io
                protocol: s3
                policyActions: {allow: ["s3:GetObject"]}
                ---
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: photos, namespace: NAMESPACE}
                spec:
                  storageClassName: bucket
                  generateBucketName: photos
                  additionalConfig: {maxSize: 1Gi, maxObjects: "1000"}
                ---
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: failing, namespace: NAMESPACE}
                spec: {storageClassName: failing, generateBucketName: photos}
                ---
                apiVersion: cosi.io/v1alpha1
                kind: BucketRequest
                metadata: {name: photos, namespace: NAMESPACE}
                spec: {protocol: s3, bucketClassName: photos}
                ---
                apiVersion: cosi.io/v1alpha1
                kind: BucketAccessRequest
                metadata: {name: photos, namespace: NAMESPACE}
                spec: {bucketRequestName: photos, bucketAccessClassName: read, accessSecretName: photos-key}
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: files, namespace: NAMESPACE}
                spec:
                  storageClassName: directory
                  accessModes: [ReadWriteMany]
                  resources: {requests: {storage: 1Mi}}
                ---
                apiVersion: v1
                kind: PersistentVolume
                metadata:
                  name: managed
                  labels: {reclaimable-pv-releaser.kubernetes.io/managed-by: test}
                spec:
                  storageClassName: manual
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 1Mi}
                  hostPath: {path: /nonexistent}
                """.replace("NAMESPACE", namespace).getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> admin.resource(object).create());
        admin.resource(ClaimingPod.yaml("builder", "none"))
                .inNamespace(namespace)
                .create();
    }

    /** What the endpoint answers. */
    String scrape() throws IOException, InterruptedException {
        HttpResponse<String> response = new ProcessEndpoint(process.port()).get("/metrics");
        if (response.statusCode() != 200) {
            throw new IOException("GET /metrics answered " + response.statusCode());
        }
        return response.body();
    }

    int port() {
        return process.port();
    }

    @Override
    public void close() {
        process.close();
        driver.close();
    }
}
