package io.bucketwright.app.options;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * A flag that several commands have, each with its own name, default or description. Use it as a mixin.
 *
 * @param <T> the type of its value
 */
@Command
public abstract class AddedOption<T> {

    private final OptionSpec option;

    /** @param option required, or with a default value */
    AddedOption(OptionSpec.Builder option) {
        this.option = option.build();
    }

    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        command.addOption(option);
    }

    public final T value() {
        return option.getValue();
    }
}
