package io.bucketwright.app.options;

import picocli.CommandLine.Model.OptionSpec;

/** A flag with the UNIX socket of a COSI driver. */
public final class SocketOption extends AddedOption<String> {

    /** @param description without the default, which is added */
    public SocketOption(String name, String description) {
        super(OptionSpec.builder(name)
                .type(String.class)
                .defaultValue("unix:///var/lib/cosi/cosi.sock")
                .paramLabel("unix:///PATH")
                .description(description + " (default: ${DEFAULT-VALUE})."));
    }
}
