package io.bucketwright.app.volumes;

import io.bucketwright.app.options.ProvisionerOptions;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.volumes.podclaims.PodClaimProvisioner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright pvc-provisioner}. */
@Command(
        name = "pvc-provisioner",
        mixinStandardHelpOptions = true,
        description = {
            "Creates the PersistentVolumeClaims that Pending pods request by annotation.",
            "Accepts the flags of dynamic-pvc-provisioner, with one dash or two. See docs/pod-claims.md."
        })
public final class PvcProvisionerCommand extends VolumeCommand {

    @Option(
            names = "--authorize",
            description = "Create a claim only if the pod's service account may create claims. See docs/pod-claims.md.")
    private boolean authorize;

    @Override
    ControllerProcessBuilder<?> builder() {
        return ProvisionerOptions.watching(
                PodClaimProvisioner.builder()
                        .controllerId(id())
                        .namespace(namespace())
                        .authorize(authorize)
                        .workers(workers()),
                namespace());
    }
}
