package io.bucketwright.app.cosi;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.CosiApiOption;
import io.bucketwright.app.options.KlogOptions;
import io.bucketwright.app.options.LeaderElectionOptions;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import java.util.Map;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bucketwright cosi controller}: the same as {@code bucketwright controller --only cosi}. */
@Command(
        name = "controller",
        mixinStandardHelpOptions = true,
        description = {
            "Binds BucketClaims, BucketRequests and BucketAccessRequests. The sidecar of each driver provisions the"
                    + " buckets.",
            "The same as `bucketwright controller --only cosi`. See docs/cosi-released.md and docs/cosi.md."
        })
final class CosiControllerCommand extends ControllerProcessCommand {

    @Mixin
    private AddedOption<Integer> workers = AddedOption.workers(16, "objects of each kind that are reconciled");

    @Mixin
    private LeaderElectionOptions leaderElection = new LeaderElectionOptions();

    @Mixin
    private CosiApiOption api = new CosiApiOption();

    @Mixin
    private KlogOptions klog = new KlogOptions();

    @Override
    protected void addControllers(ControllerProcess process, String ownNamespace) {
        Map<String, ControllerProcessBuilder<?>> builders = api.builders(process, workers.value());
        if (builders.isEmpty()) {
            throw new CommandException("There is nothing to serve: "
                    + CosiApiOption.refusal(process).orElse("no CRDs of COSI are installed."));
        }
        builders.forEach((lease, builder) -> {
            leaderElection.apply(builder, ownNamespace, lease);
            builder.addTo(process);
        });
    }

    @Override
    protected void warn(Logger log) {
        klog.warnAboutIgnored(log);
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("api", api.value(), "workers", workers.value());
    }
}
