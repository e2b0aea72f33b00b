package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
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
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The permissions of the chart are those of deploy/, with which the tests of each role run. */
class ChartPermissionsTest {

    private static final Path DEPLOY = Path.of("../../deploy");

    private static final List<String> FILES = List.of(
            "rbac.yaml",
            "cosi-rbac.yaml",
            "cosi-released-rbac.yaml",
            "cosi-sidecar-rbac.yaml",
            "cosi-released-sidecar-rbac.yaml",
            "cosi-adapter.yaml",
            "volumes-rbac.yaml",
            "directories-rbac.yaml");

    /** Roles of the chart, and the role of deploy/ with the same rules. */
    private static final Map<String, String> SAME = Map.ofEntries(
            Map.entry("bucketwright-buckets", "bucketwright-buckets"),
            Map.entry("bucketwright-buckets-namespaced", "bucketwright-buckets-namespaced"),
            Map.entry("bucketwright-buckets-leases", "bucketwright-leases"),
            Map.entry("bucketwright-orphans", "bucketwright-orphans"),
            Map.entry("bucketwright-orphans-leases", "bucketwright-leases"),
            Map.entry("bucketwright-cosi", "bucketwright-cosi"),
            Map.entry("bucketwright-bucketclaims", "bucketwright-bucketclaims"),
            Map.entry("bucketwright-cosi-leases", "bucketwright-cosi-lease"),
            Map.entry("bucketwright-drivers", "bucketwright-cosi-sidecar"),
            Map.entry("bucketwright-driver-one-example-com", "cosi-sidecar"),
            Map.entry("bucketwright-driver-one-example-com-events", "bucketwright-cosi-sidecar-events"),
            Map.entry("bucketwright-driver-two", "cosi-sidecar"),
            Map.entry("bucketwright-driver-two-events", "bucketwright-cosi-sidecar-events"),
            Map.entry("bucketwright-released-drivers", "bucketwright-cosi-released-sidecar"),
            Map.entry("bucketwright-released-drivers-secrets", "bucketwright-cosi-released-sidecar-secrets"),
            Map.entry("bucketwright-driver-three", "cosi-released-sidecar"),
            Map.entry("bucketwright-driver-four", "cosi-released-sidecar"),
            Map.entry("bucketwright-adapter", "bucketwright-cosi-adapter"),
            Map.entry("bucketwright-pod-claims", "bucketwright-pod-claims"),
            Map.entry("bucketwright-pod-claims-authorize", "bucketwright-pod-claims-authorize"),
            Map.entry("bucketwright-pod-claims-leases", "bucketwright-volume-leases"),
            Map.entry("bucketwright-releaser", "bucketwright-releaser"),
            Map.entry("bucketwright-releaser-events", "bucketwright-releaser-events"),
            Map.entry("bucketwright-releaser-scrub", "bucketwright-releaser-scrub"),
            Map.entry("bucketwright-releaser-leases", "bucketwright-volume-leases"),
            Map.entry("bucketwright-directories", "bucketwright-directories"),
            Map.entry("bucketwright-directories-shared-leases", "bucketwright-directories-leases"),
            Map.entry("bucketwright-directories-disks-leases", "bucketwright-directories-leases"));

    /** Roles that deploy/ does not have: those of tenants, and further namespaces of a sidecar. */
    private static final Set<String> ONLY_CHART = Set.of(
            "bucketwright-view",
            "bucketwright-edit",
            "bucketwright-driver-one-example-com-secrets",
            "bucketwright-driver-one-example-com-namespaces",
            "bucketwright-driver-one-example-com-provisioner-secrets");

    private static final Map<String, Object> ALL = ChartRole.all(Map.of(
            "podClaims", Map.of("enabled", true, "authorize", true),
            "releaser", Map.of("enabled", true, "scrubNamespace", "scrub")));

    @Test
    void theRulesOfEachRoleAreThoseOfDeploy() throws IOException {
        Map<String, List<PolicyRule>> chart = rules(objects(ALL));
        Map<String, List<PolicyRule>> deploy = rules(deployed());
        Set<String> compared = new TreeSet<>(chart.keySet());
        compared.removeAll(ONLY_CHART);
        assertThat(compared).isEqualTo(new TreeSet<>(SAME.keySet()));
        Set<String> deployed = new TreeSet<>(SAME.values());
        // The chart has one account, and one Role for both Leases, for the controllers of both APIs.
        deployed.add("bucketwright-bucketclaims-lease");
        assertThat(deployed).isEqualTo(new TreeSet<>(deploy.keySet()));
        assertThat(deploy.get("bucketwright-bucketclaims-lease")).isEqualTo(deploy.get("bucketwright-cosi-lease"));
        SAME.forEach((name, same) -> assertThat(chart.get(name)).as(name).isEqualTo(deploy.get(same)));
    }

    @Test
    void theNodeAdapterAndTheGuardAreThoseOfDeploy() throws IOException {
        List<HasMetadata> chart = objects(ALL);
        List<HasMetadata> deploy = deployed();
        assertThat(RenderedChart.only(chart, CSIDriver.class).getFirst().getSpec())
                .isEqualTo(
                        RenderedChart.only(deploy, CSIDriver.class).getFirst().getSpec());
        ValidatingAdmissionPolicy guard = RenderedChart.only(
                        read("pod-claims-guard.yaml"), ValidatingAdmissionPolicy.class)
                .getFirst();
        assertThat(policy(chart, "bucketwright-pod-claims").getSpec()).isEqualTo(guard.getSpec());
    }

    @Test
    void thePolicyOfASidecarIsThatOfDeployForOneProvisioner() throws IOException {
        ValidatingAdmissionPolicy chart = policy(objects(ALL), "bucketwright-driver-two");
        String deploy = Serialization.asYaml(policy(read("cosi-sidecar-rbac.yaml"), "bucketwright-cosi-sidecar")
                        .getSpec())
                .replace("bucketwright-cosi:cosi-sidecar", "azure:bucketwright-driver-two")
                .replace("provisioner.startsWith('bucketwright-cosi/')", "provisioner == 'azure/two'");
        assertThat(chart.getSpec().getMatchConditions().getFirst().getExpression())
                .isEqualTo("request.userInfo.username == 'system:serviceaccount:azure:bucketwright-driver-two'");
        assertThat(deploy)
                .contains(chart.getSpec().getMatchConditions().getFirst().getExpression());
        assertThat(chart.getSpec().getValidations().getFirst().getExpression())
                .isEqualTo("oldObject != null && oldObject.spec.provisioner == 'azure/two'"
                        + " && object != null && object.spec.provisioner == oldObject.spec.provisioner");
        assertThat(chart.getSpec().getMatchConstraints())
                .isEqualTo(policy(read("cosi-sidecar-rbac.yaml"), "bucketwright-cosi-sidecar")
                        .getSpec()
                        .getMatchConstraints());
    }

    @Test
    void secretsOfSelectedNamespacesCanBeReadOnlyWhereAnAdministratorBindsTheRole() {
        List<HasMetadata> objects = objects(ALL);
        String role = "bucketwright-driver-one-example-com-provisioner-secrets";
        assertThat(rules(objects)).containsKey(role);
        assertThat(RenderedChart.only(objects, ClusterRoleBinding.class))
                .noneMatch(binding -> binding.getRoleRef().getName().equals(role));
        assertThat(namespacesOf(objects, role)).isEmpty();
    }

    @Test
    void withOneNamespaceSecretsOfOthersCannotBeRead() {
        Map<String, Object> values = ChartRole.all(Map.of("watchNamespace", "team"));
        List<HasMetadata> objects = objects(values);
        List<String> bindings = new ArrayList<>();
        for (ClusterRoleBinding binding : RenderedChart.only(objects, ClusterRoleBinding.class)) {
            bindings.add(binding.getRoleRef().getName());
        }
        assertThat(bindings)
                .contains("bucketwright-buckets", "bucketwright-cosi")
                .doesNotContain("bucketwright-buckets-namespaced", "bucketwright-pod-claims");
        assertThat(namespacesOf(objects, "bucketwright-buckets-namespaced")).containsExactly("bucketwright", "team");
        assertThat(namespacesOf(objects, "bucketwright-pod-claims")).containsExactly("team");
        Map<String, Object> elsewhere = new HashMap<>(values);
        elsewhere.put("buckets", Map.of("secretNamespaces", List.of("vault", "team")));
        assertThat(namespacesOf(objects(elsewhere), "bucketwright-buckets-namespaced"))
                .containsExactly("team", "vault");
    }

    @Test
    void byDefaultTheCosiControllerAndADriverHaveThePermissionsOfTheReleasedApiOnly() {
        List<HasMetadata> objects =
                objects(Map.of("drivers", List.of(Map.of("name", "s3.example.com", "namespaces", List.of("team-a")))));
        Map<String, List<PolicyRule>> rules = rules(objects);
        assertThat(rules).containsKeys("bucketwright-bucketclaims", "bucketwright-released-drivers");
        assertThat(rules).doesNotContainKeys("bucketwright-cosi", "bucketwright-drivers");
        assertThat(rules.getOrDefault("bucketwright-bucketclaims", List.of()).stream()
                        .flatMap(rule -> rule.getResources().stream()))
                .doesNotContain("secrets", "namespaces");
        assertThat(rules.values().stream().flatMap(all -> all.stream()).flatMap(rule -> rule.getApiGroups().stream()))
                .contains("objectstorage.k8s.io")
                .doesNotContain("cosi.io");
        ValidatingAdmissionPolicy policy = policy(objects, "bucketwright-driver-s3-example-com");
        assertThat(policy.getSpec().getMatchConstraints().getResourceRules())
                .allSatisfy(rule -> assertThat(rule.getApiGroups()).containsExactly("objectstorage.k8s.io"));
    }

    @Test
    void aDriverCanReadSecretsOnlyInTheNamespacesThatUseIt() {
        List<HasMetadata> objects = objects(ALL);
        String role = "bucketwright-released-drivers-secrets";
        assertThat(namespacesOf(objects, role)).containsExactly("team-a", "team-b");
        assertThat(RenderedChart.only(objects, ClusterRoleBinding.class).stream()
                        .filter(binding -> binding.getRoleRef().getName().equals(role))
                        .map(binding -> binding.getMetadata().getName()))
                .as("of the only entry with [*]")
                .containsExactly("bucketwright-driver-four-secrets");
    }

    @Test
    void thePoliciesOfADriverAreThoseOfDeploy() throws IOException {
        List<HasMetadata> chart = objects(ALL);
        String deploy = Files.readString(DEPLOY.resolve("cosi-released-sidecar-rbac.yaml"))
                .replace(
                        "system:serviceaccount:bucketwright-cosi:cosi-released-sidecar",
                        "system:serviceaccount:" + "bucketwright:bucketwright-driver-four")
                .replace("bucketwright-cosi-released-sidecar", "bucketwright-driver-four")
                .replace("'bucketwright-cosi'", "'bucketwright'")
                .replace("driver.example.com", "four")
                .replace("driver-example-com", "four");
        List<HasMetadata> same = new RenderedChart(deploy).objects();
        for (String suffix : List.of("", "-accesses", "-claims", "-secrets")) {
            String name = "bucketwright-driver-four" + suffix;
            assertThat(policy(chart, name).getSpec())
                    .as(name)
                    .isEqualTo(policy(same, name).getSpec());
            assertThat(binding(chart, name)).as(name).isEqualTo(binding(same, name));
        }
    }

    private static ValidatingAdmissionPolicyBindingSpec binding(List<HasMetadata> objects, String name) {
        return RenderedChart.only(objects, ValidatingAdmissionPolicyBinding.class).stream()
                .filter(binding -> binding.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getSpec();
    }

    /** `bucketwright doctor` reads it, to know which permissions an account needs. */
    @Test
    void accountsOfCosiSayWhichApiTheyServe() {
        assertThat(RenderedChart.only(objects(ALL), ServiceAccount.class).stream()
                        .filter(account -> account.getMetadata().getLabels().containsKey("bucketwright.io/cosi-api"))
                        .map(account -> account.getMetadata().getName() + " "
                                + account.getMetadata().getLabels().get("bucketwright.io/cosi-api")))
                .containsExactlyInAnyOrder(
                        "bucketwright-cosi all",
                        "bucketwright-driver-one-example-com cosi.io",
                        "bucketwright-driver-two cosi.io",
                        "bucketwright-driver-three objectstorage.k8s.io",
                        "bucketwright-driver-four objectstorage.k8s.io");
    }

    @Test
    void tenantsWithTheRoleEditMayCreateClaimsAndThoseWithViewMayReadThem() {
        List<ClusterRole> roles = RenderedChart.only(objects(ALL), ClusterRole.class);
        ClusterRole view = named(roles, "bucketwright-view");
        assertThat(view.getMetadata().getLabels()).containsEntry("rbac.authorization.k8s.io/aggregate-to-view", "true");
        assertThat(view.getRules())
                .allSatisfy(rule -> assertThat(rule.getVerbs()).containsExactly("get", "list", "watch"));
        ClusterRole edit = named(roles, "bucketwright-edit");
        assertThat(edit.getMetadata().getLabels())
                .containsEntry("rbac.authorization.k8s.io/aggregate-to-edit", "true")
                .doesNotContainKey("rbac.authorization.k8s.io/aggregate-to-view");
        assertThat(edit.getRules().stream().flatMap(rule -> rule.getResources().stream()))
                .containsExactlyInAnyOrder(
                        "objectbucketclaims",
                        "bucketclaims",
                        "bucketaccesses",
                        "bucketrequests",
                        "bucketaccessrequests");
    }

    private static ClusterRole named(List<ClusterRole> roles, String name) {
        return roles.stream()
                .filter(role -> role.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> namespacesOf(List<HasMetadata> objects, String role) {
        return RenderedChart.only(objects, RoleBinding.class).stream()
                .filter(binding -> binding.getRoleRef().getName().equals(role))
                .map(binding -> binding.getMetadata().getNamespace())
                .sorted()
                .toList();
    }

    private static ValidatingAdmissionPolicy policy(List<HasMetadata> objects, String name) {
        return RenderedChart.only(objects, ValidatingAdmissionPolicy.class).stream()
                .filter(policy -> policy.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<HasMetadata> objects(Map<String, Object> values) {
        Map<String, Object> withoutCrds = new HashMap<>(values);
        withoutCrds.put("crds", RenderedChart.NO_CRDS);
        return RenderedChart.of(withoutCrds).objects();
    }

    private static List<HasMetadata> deployed() throws IOException {
        List<HasMetadata> objects = new ArrayList<>();
        for (String file : FILES) {
            objects.addAll(read(file));
        }
        return objects;
    }

    private static List<HasMetadata> read(String file) throws IOException {
        return new RenderedChart(Files.readString(DEPLOY.resolve(file))).objects();
    }

    /** The rules of each ClusterRole and Role. */
    private static Map<String, List<PolicyRule>> rules(List<HasMetadata> objects) {
        Map<String, List<PolicyRule>> rules = new TreeMap<>();
        RenderedChart.only(objects, ClusterRole.class)
                .forEach(role -> rules.put(role.getMetadata().getName(), role.getRules()));
        for (Role role : RenderedChart.only(objects, Role.class)) {
            assertThat(rules.put(role.getMetadata().getName(), role.getRules())).isNull();
        }
        return rules;
    }
}
