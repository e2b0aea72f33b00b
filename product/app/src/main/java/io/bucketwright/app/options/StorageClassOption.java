package io.bucketwright.app.options;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;

/** {@code --class}, for commands that call the store of a class, and {@code --store}, the kind of that store. */
public final class StorageClassOption extends AddedOption<String> {

    @Mixin
    private AddedOption<String> store = AddedOption.store();

    public StorageClassOption(String description) {
        super(OptionSpec.builder("--class")
                .type(String.class)
                .required(true)
                .paramLabel("CLASS")
                .description(description));
    }

    /** The kind of store. */
    public String storeKind() {
        return store.value();
    }
}
