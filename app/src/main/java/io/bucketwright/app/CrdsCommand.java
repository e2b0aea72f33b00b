package io.bucketwright.app;

import io.bucketwright.api.Crds;
import picocli.CommandLine.Command;

/** {@code bucketwright crds}. */
@Command(
        name = "crds",
        mixinStandardHelpOptions = true,
        description = "Prints the custom resource definitions, for `kubectl apply -f -`.")
final class CrdsCommand extends AnsweringCommand {

    @Override
    public Integer call() {
        out().print(Crds.yaml());
        out().flush();
        return 0;
    }
}
