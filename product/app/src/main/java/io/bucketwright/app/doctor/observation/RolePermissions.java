package io.bucketwright.app.doctor.observation;

import io.bucketwright.api.cosi.CosiNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The permissions that a role needs: those that the manifests of deploy/ give to its service account. */
public record RolePermissions(List<HasMetadata> manifest) {

    /** Where the build puts the files of deploy/. */
    private static final String FOLDER = "/io/bucketwright/app/deploy/";

    /** Where events of cluster-scoped objects are. */
    private static final String DEFAULT_NAMESPACE = "default";

    /** Needed only with a flag of the controller. */
    private static final Set<String> OPTIONAL =
            Set.of("bucketwright-pod-claims-authorize", "bucketwright-releaser-scrub");

    private static final Set<String> CLUSTER_SCOPED = Set.of(
            "objectbuckets",
            "buckets",
            "bucketclasses",
            "bucketaccessclasses",
            "storageclasses",
            "namespaces",
            "nodes",
            "persistentvolumes");

    public RolePermissions {
        manifest = List.copyOf(manifest);
    }

    /** Reads the manifest of a role. */
    public static RolePermissions of(LeaseRole role) {
        return new RolePermissions(Arrays.stream(text(role.manifest()).split("(?m)^---$"))
                .filter(document -> document.lines().anyMatch(line -> line.startsWith("kind:")))
                .map(document -> (HasMetadata) Serialization.unmarshal(document, KubernetesResource.class))
                .toList());
    }

    /**
     * The permissions that a service account needs.
     *
     * @param own the namespace of the service account
     * @param served the namespace whose claims are served; empty for all
     */
    public List<Permission> required(LeaseRole role, String own, String served) {
        return manifest.stream()
                .flatMap(object -> switch (object) {
                    case ClusterRoleBinding binding
                    when binds(binding.getSubjects(), role) -> permissions(rules(binding.getRoleRef()), "", served);
                    case RoleBinding binding
                    when binds(binding.getSubjects(), role) -> {
                        String namespace = binding.getMetadata().getNamespace().equals(DEFAULT_NAMESPACE)
                                ? DEFAULT_NAMESPACE
                                : own;
                        yield permissions(rules(binding.getRoleRef()), namespace, namespace);
                    }
                    default -> Stream.empty();
                })
                .distinct()
                .toList();
    }

    private static boolean binds(List<Subject> subjects, LeaseRole role) {
        return subjects.stream().anyMatch(subject -> subject.getName().equals(role.ownAccount()));
    }

    private List<PolicyRule> rules(RoleRef reference) {
        if (OPTIONAL.contains(reference.getName())) {
            return List.of();
        }
        return manifest.stream()
                .filter(object -> object.getMetadata().getName().equals(reference.getName()))
                .flatMap(object -> switch (object) {
                    case ClusterRole role when reference.getKind().equals(role.getKind()) -> role.getRules().stream();
                    case Role role when reference.getKind().equals(role.getKind()) -> role.getRules().stream();
                    default -> Stream.empty();
                })
                .toList();
    }

    private static Stream<Permission> permissions(List<PolicyRule> rules, String forCluster, String forNamespaced) {
        return rules.stream()
                .flatMap(rule -> rule.getResources().stream()
                        .flatMap(resource -> rule.getVerbs().stream()
                                .flatMap(verb -> names(rule)
                                        .map(name -> new Permission(
                                                verb,
                                                rule.getApiGroups().getFirst(),
                                                resource,
                                                isClusterScoped(
                                                                rule.getApiGroups()
                                                                        .getFirst(),
                                                                resource)
                                                        ? forCluster
                                                        : forNamespaced,
                                                name)))));
    }

    private static Stream<String> names(PolicyRule rule) {
        return rule.getResourceNames().isEmpty() ? Stream.of("") : rule.getResourceNames().stream();
    }

    private static boolean isClusterScoped(String group, String resource) {
        String kind = resource.replaceFirst("/.*", "");
        // Namespaced in the released API.
        boolean isAccess = kind.equals("bucketaccesses") && group.equals(CosiNames.GROUP);
        return isAccess || CLUSTER_SCOPED.contains(kind);
    }

    private static String text(String file) {
        try (InputStream in = RolePermissions.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IllegalStateException(file + " of deploy/ is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
