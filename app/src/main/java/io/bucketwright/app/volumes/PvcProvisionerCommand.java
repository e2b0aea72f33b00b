package io.bucketwright.app.volumes;

import io.bucketwright.volumes.podclaims.PodClaimProvisioner;
import io.fabric8.kubernetes.client.Config;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright pvc-provisioner}. */
@Command(
        name = "pvc-provisioner",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the PersistentVolumeClaims that Pending pods ask for by annotation.",
            "Takes the flags of dynamic-pvc-provisioner, with one dash or two. docs/pod-claims.md explains it."
        })
public final class PvcProvisionerCommand extends VolumeCommand {

    @Option(
            names = "--authorize",
            description = "Make a claim only if the pod's service account could; docs/pod-claims.md says what that is"
                    + " worth.")
    private boolean authorize;

    @Override
    Running start(Config client, ProcessFlags flags, Logger log) {
        PodClaimProvisioner provisioner = PodClaimProvisioner.builder()
                .client(client)
                .controllerId(flags.id())
                .namespace(flags.namespace())
                .authorize(authorize)
                .workers(flags.workers())
                .lease(flags.leaseNamespace(), flags.leaseName(), flags.timing())
                .identity(flags.identity())
                .status(flags.address())
                .build()
                .start();
        return new Running() {
            @Override
            public int port() {
                return provisioner.port();
            }

            @Override
            public void end() {
                provisioner.close();
            }
        };
    }
}
