package io.bucketwright.app.cosi;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Foreground;
import io.bucketwright.store.StoreException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi-driver}. */
@Command(
        name = "cosi-driver",
        mixinStandardHelpOptions = true,
        description = {
            "Serves a store as a COSI driver, at a UNIX socket, until it is told to stop.",
            "Credentials of the store's administrator come from --credentials, else from the environment"
                    + " (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), else from each request. docs/cosi-driver.md explains."
        })
public final class DriverCommand extends AnsweringCommand {

    @Option(
            names = "--store",
            defaultValue = "s3",
            paramLabel = "KIND",
            description = "The kind of store: s3, or none, which makes nothing (default: ${DEFAULT-VALUE}).")
    private String store = "";

    @Option(
            names = "--listen",
            defaultValue = "unix:///var/lib/cosi/cosi.sock",
            paramLabel = "unix:///PATH",
            description = "The socket to serve (default: ${DEFAULT-VALUE}).")
    private String listen = "";

    @Option(
            names = "--name",
            defaultValue = "",
            paramLabel = "NAME",
            description = "What the driver calls itself; its provisioner is <namespace>/NAME"
                    + " (default: <store>.bucketwright.io).")
    private String name = "";

    @Option(
            names = "--param",
            paramLabel = "KEY=VALUE",
            description =
                    "A parameter of the store or an option of its buckets, as in a class. A class may add to these,"
                            + " and contradict none.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--credentials",
            paramLabel = "PATH",
            description =
                    "A directory with one file for each key, as Kubernetes mounts a Secret, or a file of KEY=VALUE"
                            + " lines. Read at each call.")
    private @Nullable Path credentials;

    @Override
    public Integer call() throws InterruptedException {
        DriverProcess process = start();
        Foreground foreground = Foreground.closing(process::close);
        // Not a field: a logger made before the flags are read would fix the log's format.
        Logger log = LoggerFactory.getLogger(DriverCommand.class);
        log.atInfo()
                .addKeyValue("driver", process.name())
                .addKeyValue("store", store)
                .addKeyValue("socket", process.socket())
                .log("Started");
        foreground.awaitEnd();
        return 0;
    }

    private DriverProcess start() {
        try {
            return DriverProcess.start(
                    store,
                    name.isBlank() ? store + ".bucketwright.io" : name,
                    listen,
                    parameters,
                    Optional.ofNullable(credentials));
        } catch (IllegalArgumentException | StoreException.Invalid e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }
}
