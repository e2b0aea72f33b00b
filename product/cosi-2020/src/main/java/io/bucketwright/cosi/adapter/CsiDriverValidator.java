package io.bucketwright.cosi.adapter;

import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSIDriverSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What the CSIDriver object must say. Without podInfoOnMount a pod could claim to be of another namespace, so nothing is
 * published while any of it is otherwise.
 */
final class CsiDriverValidator {

    private CsiDriverValidator() {}

    /** What is wrong with it, each as a sentence; empty if nothing is. */
    static List<String> violations(CSIDriver driver) {
        List<String> wrong = new ArrayList<>();
        CSIDriverSpec spec = driver.getSpec();
        List<String> modes = spec.getVolumeLifecycleModes() == null ? List.of() : spec.getVolumeLifecycleModes();
        require(wrong, modes.equals(List.of("Ephemeral")), "volumeLifecycleModes must be [Ephemeral], not " + modes);
        require(wrong, Boolean.TRUE.equals(spec.getPodInfoOnMount()), "podInfoOnMount must be true");
        require(wrong, Boolean.FALSE.equals(spec.getAttachRequired()), "attachRequired must be false");
        require(wrong, Boolean.TRUE.equals(spec.getRequiresRepublish()), "requiresRepublish must be true");
        require(
                wrong,
                "File".equals(spec.getFsGroupPolicy()),
                "fsGroupPolicy must be File, not " + spec.getFsGroupPolicy());
        return wrong;
    }

    private static void require(List<String> wrong, boolean right, String otherwise) {
        if (!right) {
            wrong.add(otherwise);
        }
    }
}
