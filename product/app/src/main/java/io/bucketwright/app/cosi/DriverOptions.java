package io.bucketwright.app.cosi;

import io.bucketwright.app.options.AddedOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which store a driver serves, and how it connects to it. */
final class DriverOptions {

    @Mixin
    private AddedOption<String> store = AddedOption.store();

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

    String store() {
        return store.value();
    }

    Map<String, String> parameters() {
        return parameters;
    }

    /** Null for the environment. */
    @Nullable
    Path credentials() {
        return credentials;
    }
}
