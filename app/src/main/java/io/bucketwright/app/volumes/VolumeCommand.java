package io.bucketwright.app.volumes;

import io.bucketwright.app.options.KlogOptions;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import java.util.Map;
import org.slf4j.Logger;
import picocli.CommandLine.Mixin;

/** Base class of the two volume controllers that replace programs in Go. */
abstract class VolumeCommand extends ControllerProcessCommand {

    @Mixin
    private VolumeProcessOptions options = new VolumeProcessOptions();

    @Mixin
    private KlogOptions klog = new KlogOptions();

    /** The controller without its lease. */
    abstract ControllerProcessBuilder<?> builder(VolumeProcessOptions flags);

    @Override
    protected final void addControllers(ControllerProcess process, String ownNamespace) {
        options.check();
        ControllerProcessBuilder<?> builder = builder(options);
        builder.lease(options.leaseNamespace(), options.leaseName(), options.timing());
        builder.addTo(process);
    }

    @Override
    protected final String identity() {
        return options.identity().isBlank() ? super.identity() : options.identity();
    }

    @Override
    protected void warn(Logger log) {
        klog.warnAboutIgnored(log);
    }

    final VolumeProcessOptions options() {
        return options;
    }

    @Override
    protected final Map<String, ?> description() {
        return Map.of("controllerId", options.id(), "lease", options.leaseNamespace() + "/" + options.leaseName());
    }
}
