package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;

/** The claim and the pod that scrub a volume. */
final class ScrubObjects {

    private static final String MOUNT = "/volume";

    /** Runs in every busybox. Succeeds only if the volume is empty afterwards. */
    private static final String COMMAND =
            "find " + MOUNT + " -mindepth 1 -maxdepth 1 -exec rm -rf {} + && test -z \"$(ls -A " + MOUNT + ")\"";

    private ScrubObjects() {}

    static String name(PersistentVolume volume) {
        return "scrub-" + volume.getMetadata().getUid();
    }

    static PersistentVolumeClaim claim(PersistentVolume volume, ReleaserSettings settings) {
        Quantity size = Optional.ofNullable(volume.getSpec().getCapacity())
                .orElse(Map.of())
                .getOrDefault("storage", new Quantity("1"));
        return new PersistentVolumeClaimBuilder()
                .withMetadata(metadata(volume, settings))
                .withNewSpec()
                .withStorageClassName(PersistentVolumes.className(volume))
                .withVolumeName(volume.getMetadata().getName())
                .withAccessModes(volume.getSpec().getAccessModes())
                .withNewResources()
                .addToRequests("storage", size)
                .endResources()
                .endSpec()
                .build();
    }

    /** Runs as root, because files can have any owner, with only the two capabilities that their deletion needs. */
    static Pod pod(PersistentVolume volume, String image, ScrubPodOptions options, ReleaserSettings settings) {
        return new PodBuilder()
                .withMetadata(metadata(volume, settings))
                .withNewSpec()
                .withRestartPolicy("OnFailure")
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(0L)
                .withTolerations(options.tolerations())
                .withImagePullSecrets(options.imagePullSecrets())
                .withNodeSelector(options.nodeSelector())
                .withPriorityClassName(options.priorityClassName())
                .withActiveDeadlineSeconds(options.activeDeadlineSeconds())
                .addNewContainer()
                .withName("scrub")
                .withImage(image)
                .withImagePullPolicy("IfNotPresent")
                .withCommand("sh", "-c", COMMAND)
                .withResources(options.resources())
                .addNewVolumeMount()
                .withName("volume")
                .withMountPath(MOUNT)
                .endVolumeMount()
                .withNewSecurityContext()
                .withRunAsUser(0L)
                .withRunAsGroup(0L)
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .withAdd("DAC_OVERRIDE", "FOWNER")
                .endCapabilities()
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .endContainer()
                .addNewVolume()
                .withName("volume")
                .withNewPersistentVolumeClaim(name(volume), false)
                .endVolume()
                .endSpec()
                .build();
    }

    private static ObjectMeta metadata(PersistentVolume volume, ReleaserSettings settings) {
        return new ObjectMetaBuilder()
                .withNamespace(settings.scrubNamespace())
                .withName(name(volume))
                .addToLabels(ReleaserNames.SCRUB_FOR, settings.id().value())
                .addToAnnotations(
                        ReleaserNames.SCRUB_VOLUME, volume.getMetadata().getName())
                .addToAnnotations(
                        ReleaserNames.SCRUB_VOLUME_UID, volume.getMetadata().getUid())
                .addToAnnotations(ReleaserNames.SCRUB, Metadata.annotation(volume, ReleaserNames.SCRUB))
                .build();
    }
}
