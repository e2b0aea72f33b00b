package io.bucketwright.app.doctor.observation;

import io.bucketwright.app.options.PublishedSettings;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Deployment or DaemonSet of the Helm chart.
 *
 * @param desired the number of pods that should run
 * @param ready those of them that are ready
 * @param account the service account of its pods
 * @param settings of the role buckets, from its flags
 * @param watched the namespace that it serves, from its flags; empty for all
 */
public record RoleWorkload(
        HasMetadata object,
        int desired,
        int ready,
        String account,
        Optional<PublishedSettings> settings,
        String watched) {

    String namespace() {
        return object.getMetadata().getNamespace();
    }

    /** The labels that select the pods. */
    public String selector() {
        return "app.kubernetes.io/instance=" + Metadata.label(object, "app.kubernetes.io/instance")
                + ",app.kubernetes.io/component=" + Metadata.label(object, "app.kubernetes.io/component");
    }

    /** The version of the chart's controllers; empty if it does not say so. */
    public String version() {
        return Metadata.label(object, "app.kubernetes.io/version");
    }

    /** Whether the leader of a Lease is one of its pods. */
    public boolean runs(RoleLease lease) {
        return namespace().equals(lease.namespace())
                && Metadata.label(object, "app.kubernetes.io/instance").equals(PublishedSettings.release(lease.lease()))
                && has(lease.role());
    }

    /** Whether its processes have a role. */
    boolean has(LeaseRole role) {
        return LeaseRole.ofComponent(Metadata.label(object, "app.kubernetes.io/component"), "all")
                .contains(role);
    }

    static RoleWorkload of(Deployment found) {
        List<String> arguments = arguments(found.getSpec().getTemplate());
        return new RoleWorkload(
                found,
                Objects.requireNonNullElse(found.getSpec().getReplicas(), 1),
                found.getStatus() == null ? 0 : number(found.getStatus().getReadyReplicas()),
                AccessReviews.accountOf(found.getSpec().getTemplate().getSpec()),
                PublishedSettings.of(arguments),
                PublishedSettings.watchNamespace(arguments));
    }

    static RoleWorkload of(DaemonSet found) {
        return new RoleWorkload(
                found,
                found.getStatus() == null ? 0 : number(found.getStatus().getDesiredNumberScheduled()),
                found.getStatus() == null ? 0 : number(found.getStatus().getNumberReady()),
                AccessReviews.accountOf(found.getSpec().getTemplate().getSpec()),
                Optional.empty(),
                PublishedSettings.watchNamespace(arguments(found.getSpec().getTemplate())));
    }

    private static int number(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    private static List<String> arguments(PodTemplateSpec pod) {
        return pod.getSpec().getContainers().stream()
                .map(Container::getArgs)
                .flatMap(List::stream)
                .toList();
    }
}
