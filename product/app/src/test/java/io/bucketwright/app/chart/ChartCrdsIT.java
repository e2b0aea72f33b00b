package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.UpgradeCommand;
import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No way of installing, upgrading or uninstalling deletes a CRD, and so no object of a user. Helm does all of it. */
@OnCluster(with = AddOn.NODE, own = true)
class ChartCrdsIT {

    private static final String CLAIMS = "objectbucketclaims.objectbucket.io";
    private static final String BUCKETS = "objectbuckets.objectbucket.io";
    private static final String KEEP = "helm.sh/resource-policy";

    /** The chart that decided by what the cluster had. */
    private static final Path FORMER =
            Path.of("../../dev/devtools/src/test/resources/io/bucketwright/devtools/image/bucketwright-0.0.9.tgz");

    @TempDir
    private Path folder;

    @AfterEach
    void clean(TestCluster cluster) {
        Helm.list()
                .withKubeConfig(cluster.local().kubeconfig())
                .allNamespaces()
                .call()
                .forEach(release -> Helm.uninstall(release.getName())
                        .withNamespace(release.getNamespace())
                        .withKubeConfig(cluster.local().kubeconfig())
                        .call());
        cluster.admin().apiextensions().v1().customResourceDefinitions().delete();
        cluster.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(CLAIMS)
                .waitUntilCondition(found -> found == null, 30, TimeUnit.SECONDS);
        cluster.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(BUCKETS)
                .waitUntilCondition(found -> found == null, 30, TimeUnit.SECONDS);
    }

    /** What doctor says when a CRD is missing, and then what everybody does. */
    @Test
    void anUpgradeKeepsADefinitionThatWasAppliedBetween(TestCluster cluster) throws IOException {
        install(cluster, RenderedChart.CHART, Map.of());
        replaceDefinitions(cluster.admin(), true);
        String claim = createClaim(cluster);

        upgrade(cluster, RenderedChart.CHART, Map.of());
        assertKept(cluster, claim);
        assertThat(definition(cluster.admin(), CLAIMS).getMetadata().getAnnotations())
                .containsEntry(KEEP, "keep");

        upgrade(
                cluster,
                RenderedChart.CHART,
                Map.of("buckets", Map.of("enabled", false), "orphans", Map.of("enabled", false)));
        assertKept(cluster, claim);
        uninstall(cluster);
        assertKept(cluster, claim);
    }

    @Test
    void anUpgradeOfAReleaseFromBeforeKeepsEverything(TestCluster cluster) throws IOException {
        install(cluster, FORMER, Map.of());
        String claim = createClaim(cluster);
        upgrade(cluster, RenderedChart.CHART, Map.of());
        assertKept(cluster, claim);

        uninstall(cluster);
        install(cluster, FORMER, Map.of());
        replaceDefinitions(cluster.admin(), false);
        String second = createClaim(cluster);
        upgrade(cluster, RenderedChart.CHART, Map.of());
        assertKept(cluster, second);
    }

    @Test
    void definitionsOfOthersAreRefusedUnlessTheyAreSkipped(TestCluster cluster) throws IOException {
        replaceDefinitions(cluster.admin(), false);
        String claim = createClaim(cluster);

        assertThatThrownBy(() -> install(cluster, RenderedChart.CHART, Map.of()))
                .hasMessageContaining(
                        "exists and cannot be imported into the current release: invalid ownership metadata");
        assertKept(cluster, claim);
        assertThat(definition(cluster.admin(), CLAIMS).getMetadata().getAnnotations())
                .isNullOrEmpty();

        Map<String, Object> skip = Map.of("crds", Map.of("buckets", "skip"));
        install(cluster, RenderedChart.CHART, skip);
        upgrade(cluster, RenderedChart.CHART, skip);
        uninstall(cluster);
        assertKept(cluster, claim);
        assertThat(definition(cluster.admin(), CLAIMS).getMetadata().getAnnotations())
                .isNullOrEmpty();
    }

    /** Those of Rook, and those that somebody applied with kubectl before they had annotations. */
    @Test
    void anUpgradeOfAReleaseFromBeforeLeavesDefinitionsOfOthersAlone(TestCluster cluster) throws IOException {
        replaceDefinitions(cluster.admin(), false);
        Crds.cosi().forEach(crd -> {
            crd.getMetadata().setAnnotations(null);
            cluster.admin().resource(crd).serverSideApply();
        });
        String claim = createClaim(cluster);
        install(cluster, FORMER, Map.of());

        upgrade(cluster, RenderedChart.CHART, Map.of("crds", Map.of("buckets", "skip")));

        assertKept(cluster, claim);
        assertThat(Crds.cosi())
                .allSatisfy(crd -> assertThat(
                                definition(cluster.admin(), crd.getMetadata().getName())
                                        .getMetadata()
                                        .getAnnotations())
                        .isNullOrEmpty());
    }

    /** What the record of the last revision does not have may be in the one that Helm compares with. */
    @Test
    void aDefinitionOfThisReleaseIsProtectedWhateverTheRecordSays(TestCluster cluster) throws IOException {
        Map<String, Object> skip = Map.of("crds", Map.of("buckets", "skip"));
        install(cluster, FORMER, Map.of());
        String claim = createClaim(cluster);
        removeKeep(cluster.admin());
        assertThatThrownBy(() -> upgrade(cluster, RenderedChart.CHART, skip))
                .hasMessageContaining("may remove CRD " + CLAIMS)
                .hasMessageContaining("kubectl annotate crd " + CLAIMS + " helm.sh/resource-policy=keep");
        upgrade(cluster, RenderedChart.CHART, Map.of());
        assertKept(cluster, claim);

        Map<String, Object> failing = new HashMap<>(skip);
        failing.put("orphans", Map.of("podLabels", Map.of("not a label", "x")));
        assertThatThrownBy(() -> upgrade(cluster, RenderedChart.CHART, failing)).hasMessageContaining("not a label");
        removeKeep(cluster.admin());
        assertThatThrownBy(() -> upgrade(cluster, RenderedChart.CHART, skip))
                .hasMessageContaining("kubectl annotate crd " + CLAIMS);
        assertKept(cluster, claim);
    }

    /** The command of docs/upgrading.md for values that a chart no longer has. */
    @Test
    void theFormerValuesAreRemovedFromTheValuesThatAreReused(TestCluster cluster) throws IOException {
        install(cluster, FORMER, Map.of("crds", Map.of("install", true, "force", false)));
        String claim = createClaim(cluster);
        UpgradeCommand reusing = new Helm(RenderedChart.CHART)
                .upgrade()
                .withName(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .resetThenReuseValues();
        assertThatThrownBy(reusing::call)
                .hasMessageContaining("values don't meet the specifications of the schema")
                // Helm names them in any order.
                .hasMessageMatching(
                        "(?s).*at '/crds': additional properties ('install', 'force'|'force', 'install') not"
                                + " allowed.*");
        reusing.set("crds.install", "null").set("crds.force", "null").call();
        assertKept(cluster, claim);
    }

    private static void removeKeep(KubernetesClient admin) {
        for (String name : new String[] {CLAIMS, BUCKETS}) {
            admin.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(name)
                    .edit(crd -> {
                        crd.getMetadata().getAnnotations().remove(KEEP);
                        return crd;
                    });
        }
    }

    /** An operator replaced the definition and dropped the annotation; then its group is given up. */
    @Test
    void aDefinitionThatHelmWouldDeleteIsProtectedFirst(TestCluster cluster) throws IOException {
        install(cluster, RenderedChart.CHART, Map.of());
        replaceDefinitions(cluster.admin(), false);
        String claim = createClaim(cluster);
        Map<String, Object> skip = Map.of("crds", Map.of("buckets", "skip"));

        assertThatThrownBy(() -> upgrade(cluster, RenderedChart.CHART, skip))
                .hasMessageContaining("kubectl annotate crd " + CLAIMS + " helm.sh/resource-policy=keep");
        assertThatThrownBy(() -> upgrade(
                        cluster,
                        RenderedChart.CHART,
                        Map.of("buckets", Map.of("enabled", false), "orphans", Map.of("enabled", false))))
                .hasMessageContaining("kubectl annotate crd " + CLAIMS);
        assertKept(cluster, claim);

        for (String name : new String[] {CLAIMS, BUCKETS}) {
            cluster.admin()
                    .apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(name)
                    .edit(crd -> {
                        crd.getMetadata().setAnnotations(new HashMap<>(Map.of(KEEP, "keep")));
                        return crd;
                    });
        }
        upgrade(cluster, RenderedChart.CHART, skip);
        assertKept(cluster, claim);

        // The release no longer has them: what others do with them is of no concern.
        replaceAnnotations(cluster.admin());
        upgrade(cluster, RenderedChart.CHART, skip);
        assertKept(cluster, claim);
    }

    private static void replaceAnnotations(KubernetesClient admin) {
        for (String name : new String[] {CLAIMS, BUCKETS}) {
            admin.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(name)
                    .edit(crd -> {
                        crd.getMetadata().setAnnotations(null);
                        return crd;
                    });
        }
    }

    /** Deletes the definitions and applies those that `bucketwright crds` prints, or those of another project. */
    private static void replaceDefinitions(KubernetesClient admin, boolean printed) {
        for (Class<? extends CustomResource<?, ?>> kind : Crds.objectBucketKinds()) {
            CustomResourceDefinition crd = Crds.of(kind);
            admin.resource(crd).withTimeout(30, TimeUnit.SECONDS).delete();
            if (!printed) {
                crd.getMetadata().setAnnotations(null);
            }
            admin.resource(crd).fieldManager("bucketwright").serverSideApply();
            admin.resource(crd)
                    .waitUntilCondition(
                            found -> found != null
                                    && found.getStatus() != null
                                    && found.getStatus().getConditions() != null
                                    && found.getStatus().getConditions().stream()
                                            .anyMatch(condition -> condition
                                                            .getType()
                                                            .equals("Established")
                                                    && condition.getStatus().equals("True")),
                            30,
                            TimeUnit.SECONDS);
        }
    }

    /** Returns its uid. */
    private static String createClaim(TestCluster cluster) {
        ObjectBucketClaim claim = Serialization.unmarshal("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {generateName: photos-, namespace: %s}
                spec: {storageClassName: buckets, generateBucketName: photos}
                """.formatted(cluster.namespace()), ObjectBucketClaim.class);
        // The API server serves a kind a moment after its definition is established.
        return Eventually.await("the kind to be served")
                .ignoreExceptionsMatching(e -> e instanceof KubernetesClientException failed
                        && failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND)
                .until(
                        () -> cluster.admin()
                                .resource(claim)
                                .create()
                                .getMetadata()
                                .getUid(),
                        uid -> !uid.isEmpty());
    }

    private static void assertKept(TestCluster cluster, String claim) {
        assertThat(cluster.admin()
                        .resources(ObjectBucketClaim.class)
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems())
                .anySatisfy(found -> assertThat(found.getMetadata())
                        .matches(metadata ->
                                metadata.getUid().equals(claim) && metadata.getDeletionTimestamp() == null));
        assertThat(definition(cluster.admin(), CLAIMS).getMetadata().getDeletionTimestamp())
                .isNull();
        assertThat(definition(cluster.admin(), BUCKETS).getMetadata().getDeletionTimestamp())
                .isNull();
    }

    private void install(TestCluster cluster, Path chart, Map<String, ?> values) throws IOException {
        new Helm(chart)
                .install()
                .withName(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .withValuesFile(file(values))
                .call();
    }

    private void upgrade(TestCluster cluster, Path chart, Map<String, ?> values) throws IOException {
        new Helm(chart)
                .upgrade()
                .withName(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .withValuesFile(file(values))
                .call();
    }

    private static void uninstall(TestCluster cluster) {
        Helm.uninstall(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig())
                .call();
    }

    /** No pods: there is no node. */
    private Path file(Map<String, ?> values) throws IOException {
        Map<String, Object> all = new HashMap<>(values);
        all.put("defaults", Map.of("replicas", 0));
        return Files.writeString(folder.resolve("values.json"), Serialization.asJson(all));
    }

    private static CustomResourceDefinition definition(KubernetesClient admin, String name) {
        return Optional.ofNullable(admin.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName(name)
                        .get())
                .orElseThrow();
    }
}
