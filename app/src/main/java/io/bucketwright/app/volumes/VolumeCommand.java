package io.bucketwright.app.volumes;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Foreground;
import io.bucketwright.app.controller.ApiServerOptions;
import io.fabric8.kubernetes.client.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Mixin;

/** Runs one volume controller until it is told to stop. */
abstract class VolumeCommand extends AnsweringCommand {

    /** A controller that runs. */
    interface Running {

        int port();

        /** Finishes what is in work, gives the lease back, and ends. */
        void end();
    }

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Mixin
    private ProcessFlags process = new ProcessFlags();

    @Mixin
    private LogFlags logFlags = new LogFlags();

    abstract Running start(Config client, ProcessFlags flags, Logger log);

    @Override
    public final Integer call() throws InterruptedException {
        try {
            process.check();
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
        Config client = server.config();
        server.requireReachable(client);
        // Not a field: a logger made before the flags are read would fix the log's format.
        Logger log = LoggerFactory.getLogger(VolumeCommand.class);
        logFlags.warn(log);
        Running running = start(client, process, log);
        Foreground foreground = Foreground.closing(running::end);
        log.atInfo()
                .addKeyValue("controllerId", process.id())
                .addKeyValue("lease", process.leaseNamespace() + "/" + process.leaseName())
                .addKeyValue("port", running.port())
                .log("Started");
        foreground.awaitEnd();
        return 0;
    }
}
