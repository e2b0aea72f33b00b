package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.ParsedCommand;
import io.bucketwright.app.chart.RenderedChart.Workload;
import io.bucketwright.app.options.RoleLeaseName;
import io.bucketwright.app.process.ServerCommand;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each combination of roles gives a complete and consistent set of objects with exactly those roles. */
class ChartRolesTest {

    private static final String COMPONENT = "app.kubernetes.io/component";

    /** Components of objects that several roles share. */
    private static final Set<String> SHARED = Set.of("crds", "metrics", "tenants", "drivers", "directories");

    @Test
    void everyCombinationOfRolesIsCompleteAndSecure() {
        Set<List<String>> commandLines = new HashSet<>();
        Set<String> tried = new TreeSet<>();
        ChartRole.subsets().forEach(roles -> {
            Map<String, Object> values = ChartRole.values(roles);
            values.put("crds", RenderedChart.NO_CRDS);
            List<HasMetadata> objects = RenderedChart.of(values).objects();
            assertThat(identities(objects)).as("%s", roles).doesNotHaveDuplicates();
            assertThat(components(RenderedChart.workloads(objects)))
                    .as("%s", roles)
                    .containsExactlyInAnyOrderElementsOf(roles.stream()
                            .flatMap(role -> role.components().stream())
                            .toList());
            Set<String> allowed = new TreeSet<>(SHARED);
            roles.forEach(role -> allowed.addAll(role.components()));
            assertThat(objects)
                    .allSatisfy(object -> assertThat(allowed)
                            .contains(object.getMetadata().getLabels().get(COMPONENT)));
            requireAccounts(objects);
            requireRoles(objects);
            for (Workload workload : RenderedChart.workloads(objects)) {
                requireSecure(workload);
                commandLines.addAll(commandLines(workload));
            }
            tried.add(roles.toString());
        });
        assertThat(tried).hasSize(256);
        assertThat(commandLines).hasSizeGreaterThanOrEqualTo(11);
        assertThat(commandLines)
                .allSatisfy(arguments -> assertThat(ParsedCommand.of(arguments).command())
                        .as("%s runs until it is terminated", arguments)
                        .isInstanceOf(ServerCommand.class));
    }

    /** The chart names the Leases of these roles, and the command would choose the same names. */
    @Test
    void releasesWithAnotherIdOrNamespaceHaveLeasesOfTheirOwn() {
        assertThat(leases(Map.of())).containsExactly("bucketwright-pod-claims", "bucketwright-releaser");
        assertThat(leases(Map.of("controllerId", "other", "watchNamespace", "team")))
                .containsExactly(
                        RoleLeaseName.of("pod-claims", "other", RoleLeaseName.DEFAULT_ID, "team"),
                        RoleLeaseName.of("releaser", "other", RoleLeaseName.DEFAULT_ID, ""));
    }

    private static List<String> leases(Map<String, ?> values) {
        Map<String, Object> all = ChartRole.values(EnumSet.of(ChartRole.POD_CLAIMS, ChartRole.RELEASER));
        all.putAll(values);
        String flag = "--lease-lock-name=";
        return RenderedChart.workloads(RenderedChart.of(all).objects()).stream()
                .flatMap(workload -> commandLines(workload).stream())
                .flatMap(List::stream)
                .filter(argument -> argument.startsWith(flag))
                .map(argument -> argument.substring(flag.length()))
                .sorted()
                .toList();
    }

    private static List<String> identities(List<HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getNamespace() + "/"
                        + object.getMetadata().getName())
                .toList();
    }

    private static List<String> components(List<Workload> workloads) {
        return workloads.stream()
                .map(workload -> workload.template().getMetadata().getLabels().getOrDefault(COMPONENT, ""))
                .toList();
    }

    /** Each workload has an account, and each account a workload and permissions. */
    private static void requireAccounts(List<HasMetadata> objects) {
        Set<String> accounts = RenderedChart.only(objects, ServiceAccount.class).stream()
                .map(ChartRolesTest::qualifiedName)
                .collect(Collectors.toSet());
        assertThat(RenderedChart.workloads(objects).stream()
                        .map(workload -> workload.object().getMetadata().getNamespace() + "/"
                                + workload.template().getSpec().getServiceAccountName()))
                .containsExactlyInAnyOrderElementsOf(accounts);
        assertThat(subjects(objects)
                        .map(subject -> subject.getNamespace() + "/" + subject.getName())
                        .collect(Collectors.toSet()))
                .isEqualTo(accounts);
    }

    private static Stream<Subject> subjects(List<HasMetadata> objects) {
        return Stream.concat(
                RenderedChart.only(objects, ClusterRoleBinding.class).stream()
                        .flatMap(binding -> binding.getSubjects().stream()),
                RenderedChart.only(objects, RoleBinding.class).stream()
                        .flatMap(binding -> binding.getSubjects().stream()));
    }

    /**
     * Each binding has a role that is in the chart, and each role a binding, but those of tenants, and those that
     * administrators bind in namespaces of their choice.
     */
    private static void requireRoles(List<HasMetadata> objects) {
        Set<String> bound = new TreeSet<>();
        RenderedChart.only(objects, ClusterRoleBinding.class)
                .forEach(binding -> bound.add(role(binding.getRoleRef(), "")));
        RenderedChart.only(objects, RoleBinding.class)
                .forEach(binding -> bound.add(
                        role(binding.getRoleRef(), binding.getMetadata().getNamespace())));
        Set<String> roles = new TreeSet<>();
        RenderedChart.only(objects, ClusterRole.class).stream()
                .filter(role -> !role.getMetadata()
                        .getLabels()
                        .getOrDefault(COMPONENT, "")
                        .equals("tenants"))
                .filter(role -> !role.getMetadata().getName().endsWith("-provisioner-secrets"))
                .forEach(role -> roles.add("ClusterRole " + role.getMetadata().getName()));
        RenderedChart.only(objects, Role.class).forEach(role -> roles.add("Role " + qualifiedName(role)));
        assertThat(bound).isEqualTo(roles);
    }

    private static String role(RoleRef reference, String namespace) {
        return reference.getKind() + " "
                + (reference.getKind().equals("Role") ? namespace + "/" : "")
                + reference.getName();
    }

    private static String qualifiedName(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    /** Restricted, as the pod security standard says, but where a host path or the owner of a directory needs more. */
    private static void requireSecure(Workload workload) {
        PodSpec pod = workload.template().getSpec();
        boolean mounts = workload.name().equals("bucketwright-adapter");
        boolean owns = workload.name().startsWith("bucketwright-directories-");
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isEqualTo(!mounts && !owns);
        assertThat(pod.getHostNetwork()).isNull();
        assertThat(pod.getHostPID()).isNull();
        assertThat(pod.getVolumes().stream().anyMatch(volume -> volume.getHostPath() != null))
                .isEqualTo(mounts || workload.name().endsWith("-disks"));
        for (Container container : pod.getContainers()) {
            assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                    .isTrue();
            assertThat(container.getSecurityContext().getPrivileged()).isEqualTo(mounts ? Boolean.TRUE : null);
            if (!mounts) {
                assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                        .isFalse();
                assertThat(container.getSecurityContext().getCapabilities().getDrop())
                        .containsExactly("ALL");
                assertThat(container.getSecurityContext().getCapabilities().getAdd())
                        .isEqualTo(capabilities(workload.name()));
            }
            assertThat(container.getResources().getRequests()).containsKeys("cpu", "memory");
            assertThat(container.getResources().getLimits()).containsKey("memory");
            // A driver of a vendor serves a socket only; the readiness of its sidecar tells whether it answers.
            boolean serves = container.getImage().startsWith("bucketwright:");
            assertThat(container.getLivenessProbe() != null).isEqualTo(serves);
            assertThat(container.getReadinessProbe() != null).isEqualTo(serves);
            assertThat(container.getStartupProbe() != null).isEqualTo(serves);
        }
    }

    private static List<String> capabilities(String workload) {
        return switch (workload) {
            case "bucketwright-directories-shared" -> List.of("CHOWN", "FOWNER", "DAC_OVERRIDE");
            case "bucketwright-directories-disks" -> List.of("CHOWN", "FOWNER", "DAC_OVERRIDE", "SYS_ADMIN");
            default -> List.of();
        };
    }

    /** The arguments of the containers with our image. */
    private static List<List<String>> commandLines(Workload workload) {
        return workload.template().getSpec().getContainers().stream()
                .filter(container -> container.getImage().startsWith("bucketwright:"))
                .map(Container::getArgs)
                .toList();
    }
}
