package io.bucketwright.app.options;

import picocli.CommandLine.Model.OptionSpec;

/** {@code --from-cluster}, for commands that transfer buckets. */
public final class FromClusterOption extends AddedOption<String> {

    public FromClusterOption() {
        super(OptionSpec.builder("--from-cluster")
                .type(String.class)
                .required(true)
                .paramLabel("ID")
                .description("Id of the former cluster: the uid of its namespace kube-system, which is also the tag"
                        + " bucketwright.io/cluster of its buckets."));
    }
}
