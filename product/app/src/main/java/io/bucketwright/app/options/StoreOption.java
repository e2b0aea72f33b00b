package io.bucketwright.app.options;

import picocli.CommandLine.Model.OptionSpec;

/** {@code --store}. */
public final class StoreOption extends AddedOption<String> {

    public StoreOption() {
        super(
                OptionSpec.builder("--store")
                        .type(String.class)
                        .defaultValue("s3")
                        .paramLabel("KIND")
                        .description(
                                "Kind of object store: s3, azure, gcs, or none, which creates no buckets (default: ${DEFAULT-VALUE})."));
    }
}
