package io.bucketwright.bench.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The manifests of deploy/, for the service accounts of one bench: namespaced objects are in its namespace, the names of
 * all others end with it. So a bench does not change the permissions of controllers that run in the cluster.
 */
record BenchPermissions(KubernetesClient client, String namespace) {

    /** Where the build puts the files of deploy/. */
    private static final String FOLDER = "/io/bucketwright/app/deploy/";

    /** The namespaces of the manifests; permissions for events of cluster-scoped objects stay in {@code default}. */
    private static final String SIDECAR_NAMESPACE = "bucketwright-cosi";

    /** The objects of a file, renamed. */
    List<HasMetadata> load(String file) {
        String yaml = text(file)
                .replace("serviceaccount:" + SIDECAR_NAMESPACE + ":", "serviceaccount:" + namespace + ":")
                .replace("'" + SIDECAR_NAMESPACE + "/'", "'" + namespace + "/'");
        List<HasMetadata> objects =
                client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).items().stream()
                        .filter(object -> !(object instanceof Namespace))
                        .toList();
        objects.forEach(this::move);
        return objects;
    }

    private void move(HasMetadata object) {
        switch (object) {
            case ServiceAccount account -> account.getMetadata().setNamespace(namespace);
            case Role role -> moveNamespaced(role);
            case RoleBinding binding -> {
                moveNamespaced(binding);
                move(binding.getRoleRef(), isDefault(binding));
                move(binding.getSubjects());
            }
            case ClusterRoleBinding binding -> {
                rename(binding);
                move(binding.getRoleRef(), false);
                move(binding.getSubjects());
            }
            case ValidatingAdmissionPolicyBinding binding -> {
                rename(binding);
                binding.getSpec().setPolicyName(renamed(binding.getSpec().getPolicyName()));
            }
            default -> rename(object);
        }
    }

    private void moveNamespaced(HasMetadata object) {
        if (isDefault(object)) {
            rename(object);
        } else {
            object.getMetadata().setNamespace(namespace);
        }
    }

    private static boolean isDefault(HasMetadata object) {
        return object.getMetadata().getNamespace().equals("default");
    }

    private void rename(HasMetadata object) {
        object.getMetadata().setName(renamed(object.getMetadata().getName()));
    }

    private void move(RoleRef role, boolean inDefault) {
        if (inDefault || role.getKind().equals("ClusterRole")) {
            role.setName(renamed(role.getName()));
        }
    }

    private void move(List<Subject> subjects) {
        subjects.forEach(subject -> subject.setNamespace(namespace));
    }

    private String renamed(String name) {
        return name + "-" + namespace;
    }

    private static String text(String file) {
        try (InputStream in = BenchPermissions.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IllegalStateException(file + " of deploy/ is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
