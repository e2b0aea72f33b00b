package io.bucketwright.app;

import io.bucketwright.api.Crds;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bucketwright crds}. */
@Command(
        name = "crds",
        mixinStandardHelpOptions = true,
        description = "Prints the custom resource definitions, for `kubectl apply -f -`.")
final class CrdsCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(Crds.yaml());
        spec.commandLine().getOut().flush();
        return 0;
    }
}
