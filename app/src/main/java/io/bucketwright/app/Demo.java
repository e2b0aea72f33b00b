package io.bucketwright.app;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the demo does on the cluster it was given. */
final class Demo {

    private static final String CLAIM = """
            apiVersion: objectbucket.io/v1alpha1
            kind: ObjectBucketClaim
            metadata:
              name: photos
              namespace: default
            spec:
              generateBucketName: photo-booth
              storageClassName: fast-buckets
            """;

    private final Path kubeconfig;
    private final PrintWriter out;

    Demo(Path kubeconfig, PrintWriter out) {
        this.kubeconfig = kubeconfig;
        this.out = out;
    }

    void run() {
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config()).build()) {
            out.println(
                    "   Kubernetes " + client.getKubernetesVersion().getGitVersion() + " at " + client.getMasterUrl());
            out.println();
            out.println("2. Its custom resources");
            for (CustomResourceDefinition definition : Crds.all()) {
                install(client, definition);
            }
            out.println();
            out.println("3. A claim, as an application states it");
            CLAIM.lines().forEach(line -> out.println("   | " + line));
            client.resource(CLAIM).create();
            ObjectBucketClaim claim = client.resources(ObjectBucketClaim.class)
                    .inNamespace("default")
                    .withName("photos")
                    .get();
            out.println("   The API server has it, phase " + claim.phase() + ".");
        }
    }

    private void install(KubernetesClient client, CustomResourceDefinition definition) {
        client.resource(definition).create();
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(definition.getMetadata().getName())
                .waitUntilCondition(Demo::established, 30, TimeUnit.SECONDS);
        out.println("   " + definition.getMetadata().getName() + ": established");
    }

    /** Just after its creation a definition has no status, and then one without conditions. */
    private static boolean established(@Nullable CustomResourceDefinition definition) {
        return Optional.ofNullable(definition)
                .map(CustomResourceDefinition::getStatus)
                .map(CustomResourceDefinitionStatus::getConditions)
                .stream()
                .flatMap(List::stream)
                .anyMatch(condition -> condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
    }

    private Config config() {
        try {
            // The cluster is on this machine; a proxy of the outside world must not come between.
            return new ConfigBuilder(Config.fromKubeconfig(Files.readString(kubeconfig)))
                    .withHttpProxy(null)
                    .withHttpsProxy(null)
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
