package io.bucketwright.app.cosi;

import io.bucketwright.app.options.SocketOption;
import io.bucketwright.app.options.StoreOption;
import io.bucketwright.app.process.ServerCommand;
import io.bucketwright.store.errors.StoreException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi driver}. */
@Command(
        name = "driver",
        mixinStandardHelpOptions = true,
        description = {
            "Serves an object store as a COSI driver on a UNIX socket.",
            "The store's administrator credentials are those in the request, otherwise those in --credentials,"
                    + " otherwise AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment. See docs/cosi-driver.md."
        })
final class DriverCommand extends ServerCommand {

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private SocketOption listen = new SocketOption("--listen", "Socket to serve");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the driver; the provisioner in classes is <namespace>/NAME"
                    + " (default: <store>.bucketwright.io).")
    private String name = "";

    @Option(
            names = "--param",
            paramLabel = "KEY=VALUE",
            description = "Parameter of the store or option of its buckets, as in a class. A class may add parameters"
                    + " but not change these.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--credentials",
            paramLabel = "PATH",
            description = "Directory with one file per key, such as a mounted Secret, or a file of KEY=VALUE lines."
                    + " Read again at each call.")
    private @Nullable Path credentials;

    @Override
    protected Server start(Logger log) {
        try {
            DriverProcess process = DriverProcess.start(
                    store.value(),
                    name.isBlank() ? store.value() + ".bucketwright.io" : name,
                    listen.value(),
                    parameters,
                    credentials);
            return new Server(
                    Map.of("driver", process.name(), "store", store.value(), "socket", process.socket()),
                    process::close);
        } catch (IllegalArgumentException | StoreException.Invalid e) {
            throw usageError(e);
        }
    }
}
