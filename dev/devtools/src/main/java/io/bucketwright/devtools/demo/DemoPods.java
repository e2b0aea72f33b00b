package io.bucketwright.devtools.demo;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.devtools.image.LocalImage;
import io.bucketwright.local.LocalCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The controllers as pods of the local node: from the image, with the manifests of the chart. They end with the node. */
final class DemoPods implements DemoControllers {

    /** The release's namespace, as the documentation has it. */
    private static final String NAMESPACE = "bucketwright";

    /** The Secret that the chart mounts into the driver. */
    private static final String DRIVER_SECRET = "driver-administrator";

    private static final long TIMEOUT_SECONDS = 180;

    private final LocalCluster local;
    private final DemoSteps steps;

    DemoPods(LocalCluster local, DemoSteps steps) {
        this.local = local;
        this.steps = steps;
    }

    /** Builds the image, and puts it on the node. */
    void loadImage() {
        steps.begin("Build the image and import it on the node");
        LocalImage image = LocalImage.provide(steps.progress());
        local.importImage(image.archive());
        steps.print("image " + image.reference() + ", " + image.archive());
    }

    @Override
    public Path folder() {
        return local.controllerFiles();
    }

    @Override
    public void start(DemoCluster cluster, DemoPart part, List<DemoController> commands) {
        DemoChart chart = DemoChart.of(part, local);
        steps.print("the Helm chart with these values:");
        steps.show(chart.values());
        if (cluster.client().namespaces().withName(NAMESPACE).get() == null) {
            cluster.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(NAMESPACE)
                    .endMetadata()
                    .build());
        }
        if (part == DemoPart.COSI || part == DemoPart.COSI_IO) {
            Secret secret = BucketClaimDemo.administratorSecret(
                    DRIVER_SECRET, cluster, local.s3().orElseThrow());
            if (part == DemoPart.COSI) {
                // A driver of the released API may not write Secrets in its own namespace.
                secret.getMetadata().setNamespace(NAMESPACE);
            }
            if (cluster.client().resource(secret).get() == null) {
                cluster.create(secret);
            }
        }
        List<HasMetadata> objects = chart.objects();
        objects.forEach(object -> cluster.client().resource(object).serverSideApply());
        for (HasMetadata object : objects) {
            if (object instanceof Deployment deployment) {
                awaitAvailable(cluster, deployment);
            }
        }
    }

    private void awaitAvailable(DemoCluster cluster, Deployment deployment) {
        String name = deployment.getMetadata().getName();
        Deployment _ = cluster.await(
                "the pod of Deployment " + name + " to be ready",
                cluster.client().resource(deployment),
                found -> Optional.ofNullable(found.getStatus())
                        .map(DeploymentStatus::getAvailableReplicas)
                        .filter(replicas -> replicas > 0)
                        .isPresent(),
                TIMEOUT_SECONDS);
        steps.print("Deployment " + name + ": its pod is ready after " + steps.sinceBegin());
    }

    @Override
    public void stop() {
        // They end with the node.
    }

    /** Copies of the logs that the kubelet writes, beside those of the servers of the cluster. */
    @Override
    public Stream<Path> logs() {
        Path written = local.dir().resolve("node/pod-logs");
        if (!Files.isDirectory(written)) {
            return Stream.empty();
        }
        List<Path> copies = new ArrayList<>();
        try (Stream<Path> files = Files.walk(written)) {
            for (Path log : files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(".log"))
                    .sorted(Comparator.reverseOrder())
                    .toList()) {
                copies.add(Files.copy(
                        log, local.logs().resolve(name(written.relativize(log))), StandardCopyOption.REPLACE_EXISTING));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot copy the logs of the pods in " + written, e);
        }
        return copies.stream();
    }

    /** NAMESPACE_POD_UID/CONTAINER/RESTARTS.log as POD-CONTAINER-RESTARTS.log. */
    static String name(Path log) {
        if (log.getNameCount() != 3) {
            throw new CommandException("The log " + log + " is not one of a container.");
        }
        String[] pod = log.getName(0).toString().split("_", -1);
        return (pod.length > 1 ? pod[1] : pod[0]) + "-" + log.getName(1) + "-" + log.getName(2);
    }
}
