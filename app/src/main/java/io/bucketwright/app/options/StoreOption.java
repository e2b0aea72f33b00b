package io.bucketwright.app.options;

import picocli.CommandLine.Option;

/** {@code --store}. */
public final class StoreOption {

    @Option(
            names = "--store",
            defaultValue = "s3",
            paramLabel = "KIND",
            description = "Kind of object store: s3, or none, which creates no buckets (default: ${DEFAULT-VALUE}).")
    private String kind = "";

    public String kind() {
        return kind;
    }
}
