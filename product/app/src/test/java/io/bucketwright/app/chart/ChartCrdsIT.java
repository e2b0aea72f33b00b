package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.UpgradeCommand;
import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The API server knows every field of the chart, and no way of installing, upgrading or uninstalling deletes a CRD, and so no
 * object of a user. Helm does all of it.
 */
@OnCluster(own = true, workloads = true)
class ChartCrdsIT {

    private static final String CLAIMS = "objectbucketclaims.objectbucket.io";
    private static final String BUCKETS = "objectbuckets.objectbucket.io";
    private static final List<String> OBJECT_BUCKETS = List.of(CLAIMS, BUCKETS);
    private static final String KEEP = "helm.sh/resource-policy";

    /** The chart that decided by what the cluster had. */
    private static final Path FORMER =
            Path.of("../../dev/devtools/src/test/resources/io/bucketwright/devtools/image/bucketwright-0.0.9.tgz");

    private static final Map<String, ?> SKIP = Map.of("crds", Map.of("buckets", "skip"));

    private static final Map<String, ?> WITHOUT_BUCKETS =
            Map.of("buckets", Map.of("enabled", false), "orphans", Map.of("enabled", false));

    private TestCluster cluster;
    private HelmRelease release;

    @BeforeEach
    void prepare(TestCluster given, @TempDir Path folder) {
        cluster = given;
        release = new HelmRelease(given, folder);
    }

    @AfterEach
    void clean() {
        Helm.list()
                .withKubeConfig(cluster.local().kubeconfig())
                .allNamespaces()
                .call()
                .forEach(installed -> Helm.uninstall(installed.getName())
                        .withNamespace(installed.getNamespace())
                        .withKubeConfig(cluster.local().kubeconfig())
                        .call());
        cluster.admin().apiextensions().v1().customResourceDefinitions().delete();
        Eventually.await("all definitions to be deleted")
                .until(() -> definitions().isEmpty());
    }

    private List<String> definitions() {
        return cluster.admin().apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                .map(crd -> crd.getMetadata().getName())
                .toList();
    }

    @Test
    void theApiServerKnowsEveryFieldOfEveryObject() {
        assertAccepted(Map.of());
        assertAccepted(ChartRole.values(EnumSet.of(ChartRole.DRIVERS, ChartRole.ADAPTER)));
        assertAccepted(ChartRole.all(RenderedChart.values("""
                defaults:
                  replicas: 2
                  priorityClassName: system-cluster-critical
                  extraEnv: [{name: A, value: b}]
                watchNamespace: default
                imagePullSecrets: [{name: registry}]
                podClaims: {enabled: true, authorize: true}
                releaser: {enabled: true, scrubNamespace: default}
                networkPolicy: {enabled: true, metricsFrom: [{namespaceSelector: {}}], egress: [{}]}
                monitoring: {dashboard: true}
                """)));
    }

    /** Applies all objects without storing them; a field that the API server does not know is an error. */
    private void assertAccepted(Map<String, ?> values) {
        List<HasMetadata> objects = RenderedChart.of(values).objects();
        assertThat(objects).hasSizeGreaterThan(20);
        for (HasMetadata object : objects) {
            if (object.getMetadata().getNamespace() != null) {
                object.getMetadata().setNamespace(cluster.namespace());
            }
            assertThat(cluster.admin()
                            .resource(object)
                            .dryRun()
                            .fieldValidation(Validation.STRICT)
                            .serverSideApply())
                    .isNotNull();
        }
    }

    @Test
    void definitionsAreUpgradedAndKept(@TempDir Path folder) throws IOException {
        Path chart = copy(folder.resolve("bucketwright"));
        assertThat(release.install(chart, Map.of())).contains("bucketwright doctor", "kind: ObjectBucketClaim");
        assertThat(annotations(CLAIMS)).containsEntry("meta.helm.sh/release-name", RenderedChart.RELEASE);

        Path file = chart.resolve("files/crds/" + CLAIMS + ".yaml");
        String changed = Files.readString(file).replaceFirst("shortNames:\n", "shortNames:\n    - claimed\n");
        assertThat(changed).contains("claimed");
        Files.writeString(file, changed);
        release.upgrade(chart, Map.of());
        assertThat(shortNames()).contains("claimed");

        release.uninstall();
        assertThat(cluster.admin()
                        .apps()
                        .deployments()
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems())
                .isEmpty();
        assertThat(definitions())
                .contains(CLAIMS, "buckets.objectstorage.k8s.io")
                .doesNotContain("buckets.cosi.io");

        // The same release finds its definitions again.
        assertThat(release.install(RenderedChart.CHART, Map.of()))
                .contains("bucketwright doctor", "kind: ObjectBucketClaim");
        assertThat(shortNames()).doesNotContain("claimed");
    }

    private List<String> shortNames() {
        return release.definition(CLAIMS).require().getSpec().getNames().getShortNames();
    }

    private static Path copy(Path target) throws IOException {
        try (Stream<Path> files = Files.walk(RenderedChart.CHART)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(RenderedChart.CHART.relativize(file)));
            }
        }
        return target;
    }

    /** What doctor says when a CRD is missing, and then what everybody does. */
    @Test
    void anUpgradeKeepsADefinitionThatWasAppliedBetween() {
        release.install(RenderedChart.CHART, Map.of());
        replaceDefinitions(true);
        String claim = createClaim();

        release.upgrade(RenderedChart.CHART, Map.of());
        assertKept(claim);
        assertThat(annotations(CLAIMS)).containsEntry(KEEP, "keep");

        release.upgrade(RenderedChart.CHART, WITHOUT_BUCKETS);
        assertKept(claim);
        release.uninstall();
        assertKept(claim);
    }

    @Test
    void anUpgradeOfAReleaseFromBeforeKeepsEverything() {
        release.install(FORMER, Map.of());
        String claim = createClaim();
        release.upgrade(RenderedChart.CHART, Map.of());
        assertKept(claim);

        release.uninstall();
        release.install(FORMER, Map.of());
        replaceDefinitions(false);
        String second = createClaim();
        release.upgrade(RenderedChart.CHART, Map.of());
        assertKept(second);
    }

    @Test
    void definitionsOfOthersAreRefusedUnlessTheyAreSkipped() {
        replaceDefinitions(false);
        String claim = createClaim();

        assertThatThrownBy(() -> release.install(RenderedChart.CHART, Map.of()))
                .hasMessageContaining(
                        "exists and cannot be imported into the current release: invalid ownership metadata");
        assertKept(claim);
        assertThat(annotations(CLAIMS)).isNullOrEmpty();

        release.install(RenderedChart.CHART, SKIP);
        release.upgrade(RenderedChart.CHART, SKIP);
        release.uninstall();
        assertKept(claim);
        assertThat(annotations(CLAIMS)).isNullOrEmpty();
    }

    /** Those of Rook, and those that somebody applied with kubectl before they had annotations. */
    @Test
    void anUpgradeOfAReleaseFromBeforeLeavesDefinitionsOfOthersAlone() {
        replaceDefinitions(false);
        Crds.cosi().forEach(crd -> {
            crd.getMetadata().setAnnotations(null);
            cluster.admin().resource(crd).serverSideApply();
        });
        String claim = createClaim();
        release.install(FORMER, Map.of());

        release.upgrade(RenderedChart.CHART, SKIP);

        assertKept(claim);
        assertThat(Crds.cosi())
                .allSatisfy(crd ->
                        assertThat(annotations(crd.getMetadata().getName())).isNullOrEmpty());
    }

    /** What the record of the last revision does not have may be in the one that Helm compares with. */
    @Test
    void aDefinitionOfThisReleaseIsProtectedWhateverTheRecordSays() {
        release.install(FORMER, Map.of());
        String claim = createClaim();
        removeKeep();
        assertThatThrownBy(() -> release.upgrade(RenderedChart.CHART, SKIP))
                .hasMessageContaining("may remove CRD " + CLAIMS)
                .hasMessageContaining("kubectl annotate crd " + CLAIMS + " helm.sh/resource-policy=keep");
        release.upgrade(RenderedChart.CHART, Map.of());
        assertKept(claim);

        Map<String, Object> failing = new HashMap<>(SKIP);
        failing.put("orphans", Map.of("podLabels", Map.of("not a label", "x")));
        assertThatThrownBy(() -> release.upgrade(RenderedChart.CHART, failing)).hasMessageContaining("not a label");
        removeKeep();
        assertThatThrownBy(() -> release.upgrade(RenderedChart.CHART, SKIP))
                .hasMessageContaining("kubectl annotate crd " + CLAIMS);
        assertKept(claim);
    }

    /** The command of docs/upgrading.md for values that a chart no longer has. */
    @Test
    void theFormerValuesAreRemovedFromTheValuesThatAreReused() {
        release.install(FORMER, Map.of("crds", Map.of("install", true, "force", false)));
        String claim = createClaim();
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
        assertKept(claim);
    }

    /** An operator replaced the definition and dropped the annotation; then its group is given up. */
    @Test
    void aDefinitionThatHelmWouldDeleteIsProtectedFirst() {
        release.install(RenderedChart.CHART, Map.of());
        replaceDefinitions(false);
        String claim = createClaim();
        assertThatThrownBy(() -> release.upgrade(RenderedChart.CHART, SKIP))
                .hasMessageContaining("kubectl annotate crd " + CLAIMS + " helm.sh/resource-policy=keep");
        assertThatThrownBy(() -> release.upgrade(RenderedChart.CHART, WITHOUT_BUCKETS))
                .hasMessageContaining("kubectl annotate crd " + CLAIMS);
        assertKept(claim);

        editAnnotations(_ -> new HashMap<>(Map.of(KEEP, "keep")));
        release.upgrade(RenderedChart.CHART, SKIP);
        assertKept(claim);

        // The release no longer has them: what others do with them is of no concern.
        editAnnotations(_ -> Map.of());
        release.upgrade(RenderedChart.CHART, SKIP);
        assertKept(claim);
    }

    private void editAnnotations(UnaryOperator<Map<String, String>> change) {
        for (String name : OBJECT_BUCKETS) {
            release.definition(name).edit(crd -> {
                crd.getMetadata().setAnnotations(change.apply(crd.getMetadata().getAnnotations()));
                return crd;
            });
        }
    }

    private void removeKeep() {
        editAnnotations(annotations -> {
            annotations.remove(KEEP);
            return annotations;
        });
    }

    /** Deletes the definitions and applies those that `bucketwright crds` prints, or those of another project. */
    private void replaceDefinitions(boolean printed) {
        KubernetesClient admin = cluster.admin();
        for (Class<? extends CustomResource<?, ?>> kind : Crds.OBJECT_BUCKET_KINDS) {
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
    private String createClaim() {
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

    private void assertKept(String claim) {
        assertThat(cluster.admin()
                        .resources(ObjectBucketClaim.class)
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems())
                .anySatisfy(found -> assertThat(found.getMetadata())
                        .matches(metadata ->
                                metadata.getUid().equals(claim) && metadata.getDeletionTimestamp() == null));
        assertThat(OBJECT_BUCKETS)
                .allSatisfy(name -> assertThat(
                                release.definition(name).require().getMetadata().getDeletionTimestamp())
                        .isNull());
    }

    private Map<String, String> annotations(String name) {
        return release.definition(name).require().getMetadata().getAnnotations();
    }
}
