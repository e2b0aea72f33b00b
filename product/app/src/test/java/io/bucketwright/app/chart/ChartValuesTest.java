package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.bucketwright.app.chart.ChartValues.Value;
import io.bucketwright.app.chart.RenderedChart.Workload;
import io.bucketwright.app.chart.ValueTree.Place;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each value of the chart has a comment and an effect, and the schema rejects what has none. */
class ChartValuesTest {

    /** Maps whose keys are not ours: labels, annotations, and parts of Kubernetes' own types. */
    private static final Set<String> OPEN = Set.of("""
            affinity annotations classDefaults dashboardLabels hostPath labels limits nfs nodeSelector parameters
            podAnnotations podLabels podSecurityContext requests secretNamespaceSelector securityContext volume
            """.strip().split("\\s+", -1));

    private static final Map<String, Object> OTHER = Map.ofEntries(
            Map.entry("fullnameOverride", "other"),
            Map.entry("image.repository", "registry.example.com/bucketwright"),
            Map.entry("image.tag", "other"),
            Map.entry("monitoring.runbooks", "https://git.example.com/docs"),
            Map.entry("image.digest", "sha256:" + "0a".repeat(32)),
            Map.entry("image.pullPolicy", "Never"),
            Map.entry("imagePullSecrets", List.of(Map.of("name", "registry"))),
            Map.entry("watchNamespace", "other"),
            Map.entry("defaults.resources", Map.of("limits", Map.of("memory", "300Mi"))),
            Map.entry("defaults.priorityClassName", "important"),
            Map.entry("defaults.nodeSelector", Map.of("zone", "a")),
            Map.entry("defaults.tolerations", List.of(Map.of("key", "a", "operator", "Exists"))),
            Map.entry("defaults.affinity", Map.of("nodeAffinity", Map.of())),
            Map.entry("defaults.topologySpread", List.of()),
            Map.entry("defaults.extraArgs", List.of("--lease-duration=20s")),
            Map.entry("defaults.extraEnv", List.of(Map.of("name", "A", "value", "b"))),
            Map.entry("defaults.podAnnotations", Map.of("a", "b")),
            Map.entry("defaults.podLabels", Map.of("a", "b")),
            Map.entry("defaults.serviceAccount.name", "other"),
            Map.entry("defaults.serviceAccount.annotations", Map.of("a", "b")),
            Map.entry("defaults.log.format", "human"),
            Map.entry("defaults.log.level", "debug"),
            Map.entry("defaults.podSecurityContext", Map.of("runAsUser", 1000)),
            Map.entry("defaults.securityContext", Map.of("runAsUser", 1000)),
            Map.entry("buckets.provisioner", "other.example.com/bucket"),
            Map.entry("buckets.store", "none"),
            Map.entry("buckets.classDefaults", Map.of("region", "eu-1")),
            Map.entry("buckets.reclaimOrphans", "policy"),
            Map.entry("buckets.usageInterval", "7m"),
            Map.entry("buckets.verifyInterval", "7m"),
            Map.entry("buckets.secretNamespaces", List.of("vault")),
            Map.entry("orphans.gracePeriod", "7m"),
            Map.entry("orphans.provisioners", List.of("rook-ceph.ceph.rook.io/bucket")),
            Map.entry("cosi.api", "cosi.io"),
            Map.entry("crds.buckets", "skip"),
            Map.entry("crds.objectstorage", "skip"),
            Map.entry("crds.cosi", "skip"),
            Map.entry("drivers", List.of()),
            Map.entry("adapter.kubeletDir", "/var/kubelet"),
            Map.entry("adapter.csiDriver", "other.example.com"),
            Map.entry("adapter.tolerations", List.of()),
            Map.entry("controllerId", "other"),
            Map.entry("releaser.scrubNamespace", "scrub"),
            Map.entry("directories", List.of()),
            Map.entry("networkPolicy.metricsFrom", List.of(Map.of("podSelector", Map.of()))),
            Map.entry("networkPolicy.egress", List.of(Map.of())),
            Map.entry("monitoring.prometheusOperator", "never"),
            Map.entry("monitoring.labels", Map.of("release", "prometheus")),
            Map.entry("monitoring.interval", "7m"),
            Map.entry("monitoring.dashboardLabels", Map.of("other", "1")));

    /** Everything that is rendered only on request. */
    private static final ValueTree EVERYTHING = new ValueTree(ChartRole.all(Map.of(
            "watchNamespace", "team",
            "defaults", Map.of("replicas", 2),
            "networkPolicy", Map.of("enabled", true),
            "monitoring", Map.of("prometheusOperator", "always", "dashboard", true))));

    private final ChartValues values = ChartValues.read();

    @Test
    void theChartHasNoLintErrors() {
        LintResult result = new Helm(RenderedChart.CHART).lint().strict().call();
        assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
        assertThat(result.getMessages()).allMatch(message -> message.startsWith("[INFO]"));
    }

    @Test
    void everyValueHasAComment() {
        assertThat(values.leaves()).hasSizeGreaterThan(60);
        assertThat(values.leaves())
                .allSatisfy(value -> assertThat(value.comment())
                        .as("%s in values.yaml", value.path())
                        .isNotBlank());
    }

    @Test
    void everyValueChangesWhatIsRendered() {
        String usual = RenderedChart.of(EVERYTHING.root()).manifest();
        List<String> withoutEffect = new ArrayList<>();
        Map<String, Object> unused = new TreeMap<>(OTHER);
        for (Value value : values.leaves()) {
            Object other = unused.containsKey(value.path()) ? unused.remove(value.path()) : opposite(value);
            if (isTested(value.path())
                    && RenderedChart.of(EVERYTHING.with(value.path(), other).root())
                            .manifest()
                            .equals(usual)) {
                withoutEffect.add(value.path() + ": " + other);
            }
        }
        assertThat(withoutEffect).isEmpty();
        assertThat(unused).as("values that no longer exist").isEmpty();
    }

    private static boolean isTested(String path) {
        return !path.startsWith("monitoring.dashboard")
                || Files.exists(RenderedChart.CHART.resolve("files/dashboard.json"));
    }

    /** Another value for a number or a boolean. */
    private static Object opposite(Value value) {
        return switch (value.path()) {
            // Other than in EVERYTHING.
            case "defaults.replicas" -> 3;
            case "networkPolicy.enabled", "monitoring.dashboard" -> false;
            case "adapter.enabled", "podClaims.enabled", "releaser.enabled" -> false;
            default ->
                switch (value.text()) {
                    case "true" -> false;
                    case "false" -> true;
                    default -> Integer.parseInt(value.text()) + 1;
                };
        };
    }

    @Test
    void aMisspelledKeyIsRejected() {
        List<String> accepted = new ArrayList<>();
        ValueTree tree = new ValueTree(complete());
        tree.places()
                .filter(place -> place.value() instanceof Map)
                .filter(place -> place.steps().stream().noneMatch(OPEN::contains))
                .forEach(place -> {
                    List<Object> misspelled = place.below("mispelled", "").steps();
                    if (isAccepted(tree.with(misspelled, "x"), "mispelled")) {
                        accepted.add(String.valueOf(misspelled));
                    }
                });
        if (isAccepted(tree.with("mispelled", "x"), "mispelled")) {
            accepted.add("mispelled");
        }
        // What is in items of Kubernetes' own lists is checked by the API server.
        accepted.removeIf(path -> path.contains("tolerations"));
        assertThat(accepted).isEmpty();
    }

    @Test
    void aValueOfTheWrongTypeIsRejected() {
        List<String> accepted = new ArrayList<>();
        ValueTree tree = new ValueTree(complete());
        tree.places()
                .filter(place -> place.steps().stream()
                        .limit(place.steps().size() - 1L)
                        .noneMatch(step -> OPEN.contains(step) || step.equals("tolerations")))
                .forEach(place -> {
                    if (isAccepted(tree.with(place.steps(), wrong(place)), "" + place.last())) {
                        accepted.add(place.steps() + ": " + wrong(place));
                    }
                });
        assertThat(accepted).isEmpty();
    }

    private static Object wrong(Place place) {
        return switch (place.value()) {
            case Map<?, ?> _ -> "text";
            case List<?> _ -> "text";
            case Boolean _ -> "text";
            case Number _ -> List.of();
            default -> List.of(1);
        };
    }

    /** The defaults, with entries in all lists. */
    private static Map<String, Object> complete() {
        Map<String, Object> values = new TreeMap<>(ChartValues.defaults());
        Map<String, Object> roles = ChartRole.all(Map.of());
        values.put("drivers", roles.getOrDefault("drivers", List.of()));
        values.put("directories", roles.getOrDefault("directories", List.of()));
        // Some of the drivers need it.
        values.computeIfPresent("cosi", (_, cosi) -> with((Map<?, ?>) cosi, "api", "all"));
        values.put("imagePullSecrets", List.of(Map.of("name", "registry")));
        return values;
    }

    private static Map<Object, Object> with(Map<?, ?> map, String key, Object value) {
        Map<Object, Object> changed = new HashMap<>(map);
        changed.put(key, value);
        return changed;
    }

    private static boolean isAccepted(ValueTree tree, String named) {
        try {
            RenderedChart.of(tree.root());
            return true;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("values don't meet the specifications of the schema");
            assertThat(e).hasMessageContaining(named.matches("\\d+") ? "/" + named : named);
            return false;
        }
    }

    @Test
    void theEntriesThatCommentsShowAreAccepted() {
        assertThat(values.examples().keySet()).containsExactlyInAnyOrder("drivers", "directories");
        values.examples().forEach((key, yaml) -> {
            List<?> entries = Serialization.unmarshal(yaml, List.class);
            assertThat(RenderedChart.of(Map.of(key, entries)).manifest()).isNotEmpty();
            assertThat(entries).first().isInstanceOf(Map.class);
        });
    }

    @Test
    void theValuesOfTheInstallPageAreAccepted() throws IOException {
        String page = Files.readString(Path.of("../../docs/install.md"));
        String yaml = page.substring(page.indexOf("<<EOF\n") + 6, page.indexOf("\n    EOF\n"));
        Map<?, ?> values = Serialization.unmarshal(yaml.stripIndent(), Map.class);
        assertThat(RenderedChart.of(Map.of("drivers", values.get("drivers"))).objects())
                .as("%s", values)
                .extracting(
                        object -> object.getKind() + " " + object.getMetadata().getName())
                .contains("Deployment bucketwright-driver-s3-example-com");
        assertThat(values).hasSize(1);
    }

    @Test
    void aRoleOverridesTheDefaultsForItselfOnly() {
        Map<String, Object> roles = ChartRole.all(RenderedChart.values("""
                orphans:
                  podAnnotations: {own: "yes"}
                  serviceAccount: {create: false, name: mine}
                  podDisruptionBudget: {enabled: false}
                defaults: {podAnnotations: {all: "yes"}, replicas: 2}
                """));
        for (Workload workload : RenderedChart.workloads(RenderedChart.of(roles).objects())) {
            boolean own = workload.name().equals("bucketwright-orphans");
            assertThat(workload.template().getMetadata().getAnnotations())
                    .containsEntry("all", "yes")
                    .hasSize(own ? 3 : 2);
            assertThat(workload.template().getSpec().getServiceAccountName()).isEqualTo(own ? "mine" : workload.name());
        }
        assertThat(RenderedChart.of(roles).manifest())
                .doesNotContain("kind: ServiceAccount\nmetadata:\n  name: mine")
                .contains("kind: PodDisruptionBudget\nmetadata:\n  name: bucketwright-buckets\n")
                .doesNotContain("kind: PodDisruptionBudget\nmetadata:\n  name: bucketwright-orphans\n");
    }

    @Test
    void twoEntriesWithTheSameObjectNamesAreRejected() {
        List<Map<String, String>> drivers = List.of(Map.of("name", "a.b"), Map.of("name", "a-b"));
        assertThatThrownBy(() -> RenderedChart.of(Map.of("drivers", drivers)))
                .hasMessageContaining("drivers: two entries are named a-b");
    }

    @Test
    void rolesOfCosiIoNeedAControllerThatServesIt() {
        List<Map<String, String>> drivers = List.of(Map.of("name", "a", "api", "cosi.io"));
        assertThatThrownBy(() -> RenderedChart.of(Map.of("drivers", drivers)))
                .hasMessageContaining("drivers: entry a has api cosi.io, but the COSI controller serves only"
                        + " objectstorage.k8s.io: set cosi.api to cosi.io or all");
        assertThatThrownBy(() -> RenderedChart.of(Map.of("adapter", Map.of("enabled", true))))
                .hasMessageContaining("adapter.enabled is true", "set cosi.api to cosi.io or all");
        Map<String, Object> elsewhere = Map.of("drivers", drivers, "cosi", Map.of("enabled", false));
        assertThat(RenderedChart.of(elsewhere).manifest()).contains("--provisioner=bucketwright/a");
    }

    @Test
    void noDriverServesApplicationsInItsOwnNamespace() {
        for (String own : List.of("bucketwright", "store")) {
            List<Map<String, Object>> drivers =
                    List.of(Map.of("name", "a", "namespace", "store", "namespaces", List.of("team", own)));
            assertThatThrownBy(() -> RenderedChart.of(Map.of("drivers", drivers)))
                    .hasMessageContaining("entry a has " + own + " in namespaces", "may write Secrets");
        }
    }

    @Test
    void aDriverOfTheReleasedApiHasNoProvisionerSecrets() {
        List<Map<String, Object>> drivers =
                List.of(Map.of("name", "a", "namespaces", List.of("team"), "secretNamespaces", List.of("vault")));
        assertThatThrownBy(() -> RenderedChart.of(Map.of("drivers", drivers)))
                .hasMessageContaining(
                        "entry a has secretNamespaces or secretNamespaceSelector, which only api cosi.io has");
    }

    @Test
    void byDefaultControllerAndDriversServeTheReleasedApi() {
        assertThat(RenderedChart.of(Map.of(
                                "drivers", List.of(Map.of("name", "s3.example.com", "namespaces", List.of("team")))))
                        .manifest())
                .contains("- --cosi-api=objectstorage.k8s.io", "- --driver-name=s3.example.com")
                .doesNotContain("--provisioner=bucketwright/");
    }

    @Test
    void nobodyCanReadAllSecretsUnlessAnEntrySaysSo() {
        assertThatThrownBy(() -> RenderedChart.of(Map.of("drivers", List.of(Map.of("name", "a")))))
                .hasMessageContaining("drivers: entry a needs namespaces");
        List<Map<String, Object>> design =
                List.of(Map.of("name", "a", "api", "cosi.io", "namespaces", List.of("team")));
        assertThatThrownBy(() -> RenderedChart.of(Map.of("drivers", design)))
                .hasMessageContaining("entry a has namespaces, which only api objectstorage.k8s.io has");
    }

    @Test
    void onlyTheContainerOfTheSidecarHasATokenOfTheServiceAccount() {
        List<Map<String, Object>> drivers = List.of(
                Map.of("name", "one", "namespaces", List.of("team"), "mode", "containers"),
                Map.of("name", "two", "namespaces", List.of("team")));
        List<Workload> workloads = RenderedChart.workloads(
                RenderedChart.of(Map.of("drivers", drivers)).objects());
        List<Workload> ofDrivers = workloads.stream()
                .filter(workload -> workload.name().contains("-driver-"))
                .toList();
        assertThat(ofDrivers).hasSize(2);
        for (Workload workload : ofDrivers) {
            PodSpec pod = workload.template().getSpec();
            assertThat(pod.getAutomountServiceAccountToken()).isFalse();
            assertThat(pod.getContainers().stream()
                            .filter(container -> container.getVolumeMounts().stream()
                                    .anyMatch(mount -> mount.getName().equals("service-account")))
                            .map(Container::getName))
                    .containsExactly("sidecar");
        }
    }

    /** They would have one Lease, and one of them would be ready and never work. */
    @Test
    void twoEntriesOfDirectoriesWithTheSameRootsAreRejected() {
        String problem = "directories: the entries a and b have the same roots";
        assertThatThrownBy(() -> RenderedChart.of(directories(Map.of(), "/srv/x", "/srv/y")))
                .hasMessageContaining(problem)
                .hasMessageContaining("--lease-name");
        assertThatThrownBy(() -> RenderedChart.of(directories(Map.of("kind", "DaemonSet"), "/srv/x", "/srv/y")))
                .hasMessageContaining(problem);
        assertThat(RenderedChart.of(directories(Map.of(), "/srv/x", "/srv/z")).manifest())
                .contains("name: bucketwright-directories-b\n");
        Map<String, Object> named = Map.of("extraArgs", List.of("--lease-name=directories-b"));
        assertThat(RenderedChart.of(directories(named, "/srv/x", "/srv/y")).manifest())
                .contains("--lease-name=directories-b");
    }

    /** The Lease of a DaemonSet's pod has the name of its node. */
    @Test
    void entriesOfDirectoriesForOtherNodesMayHaveTheSameRoots() {
        Map<String, Object> others = Map.of("kind", "DaemonSet", "nodeSelector", Map.of("pool", "b"));
        assertThat(RenderedChart.of(directories(others, "/srv/x", "/srv/y")).manifest())
                .contains("name: bucketwright-directories-b\n");
    }

    /** Entry a with two roots, and entry b with two others in another order. */
    private static Map<String, Object> directories(Map<String, Object> settings, String one, String two) {
        Map<String, Object> first =
                new HashMap<>(Map.of("name", "a", "roots", List.of(root("/srv/y"), root("/srv/x"))));
        first.putAll(settings.containsKey("kind") ? Map.of("kind", settings.get("kind")) : Map.of());
        Map<String, Object> second = new HashMap<>(settings);
        second.putAll(Map.of("name", "b", "roots", List.of(root(one), root(two))));
        return Map.of("directories", List.of(first, second));
    }

    private static Map<String, Object> root(String path) {
        return Map.of("path", path, "volume", Map.of("hostPath", Map.of("path", "/mnt" + path)));
    }
}
