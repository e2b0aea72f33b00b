package io.bucketwright.volumes.releaser;

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

/** The claim and the pod through which a volume is emptied. */
final class ScrubObjects {

    private static final String MOUNT = "/volume";

    /** In words that every busybox knows; and the volume counts as empty when it is, not when nothing failed. */
    private static final String COMMAND =
            "find " + MOUNT + " -mindepth 1 -maxdepth 1 -exec rm -rf {} + && test -z \"$(ls -A " + MOUNT + ")\"";

    private ScrubObjects() {}

    static String name(PersistentVolume volume) {
        return "scrub-" + volume.getMetadata().getUid();
    }

    static PersistentVolumeClaim claim(PersistentVolume volume, Settings settings) {
        Quantity size = Optional.ofNullable(volume.getSpec().getCapacity())
                .orElse(Map.of())
                .getOrDefault("storage", new Quantity("1"));
        return new PersistentVolumeClaimBuilder()
                .withMetadata(metadata(volume, settings))
                .withNewSpec()
                .withStorageClassName(Volumes.className(volume))
                .withVolumeName(volume.getMetadata().getName())
                .withAccessModes(volume.getSpec().getAccessModes())
                .withNewResources()
                .addToRequests("storage", size)
                .endResources()
                .endSpec()
                .build();
    }

    /** Root, because the files may be anybody's, with the two rights that removing them takes and no other. */
    static Pod pod(PersistentVolume volume, String image, Settings settings) {
        return new PodBuilder()
                .withMetadata(metadata(volume, settings))
                .withNewSpec()
                .withRestartPolicy("OnFailure")
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(0L)
                .addNewContainer()
                .withName("scrub")
                .withImage(image)
                .withImagePullPolicy("IfNotPresent")
                .withCommand("sh", "-c", COMMAND)
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

    private static ObjectMeta metadata(PersistentVolume volume, Settings settings) {
        return new ObjectMetaBuilder()
                .withNamespace(settings.scrubNamespace())
                .withName(name(volume))
                .addToLabels(Marks.SCRUB_FOR, settings.id().value())
                .addToAnnotations(Marks.SCRUB_VOLUME, volume.getMetadata().getName())
                .addToAnnotations(Marks.SCRUB_VOLUME_UID, volume.getMetadata().getUid())
                .build();
    }
}
