package io.bucketwright.app.cosi;

import io.bucketwright.app.options.NamespacedElectionOptions;
import io.bucketwright.app.options.WorkersOption;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bucketwright cosi controller}: the same as {@code bucketwright controller --only cosi}. */
@Command(
        name = "controller",
        mixinStandardHelpOptions = true,
        description = {
            "Binds BucketRequests and BucketAccessRequests. The sidecar of each provisioner provisions the buckets.",
            "The same as `bucketwright controller --only cosi`. See docs/cosi.md."
        })
final class CosiControllerCommand extends ControllerProcessCommand {

    @Mixin
    private WorkersOption workers = new WorkersOption(16, "objects of each kind that are reconciled");

    @Mixin
    private NamespacedElectionOptions leaderElection = new NamespacedElectionOptions();

    @Override
    protected void addControllers(ControllerProcess process, String ownNamespace) {
        CosiController.Builder builder = CosiController.builder().workers(workers.value());
        leaderElection.apply(builder, ownNamespace, "bucketwright-cosi");
        builder.addTo(process);
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("workers", workers.value());
    }
}
