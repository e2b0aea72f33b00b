package io.bucketwright.app;

import io.bucketwright.api.Crds;
import io.bucketwright.app.command.BaseCommand;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright crds}. */
@Command(
        name = "crds",
        mixinStandardHelpOptions = true,
        description = "Prints the CustomResourceDefinitions as YAML for `kubectl apply --server-side --field-manager"
                + " bucketwright -f -`.")
final class CrdsCommand extends BaseCommand {

    private enum Group {
        BUCKETS,
        COSI,
        OBJECTSTORAGE
    }

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "GROUP",
            description = "Groups to print: buckets (ObjectBucketClaims), objectstorage (objectstorage.k8s.io, COSI as"
                    + " released; do not apply these if the cluster already has them, for example from the vendor of a"
                    + " driver), cosi (cosi.io, the design of 2020). Default: buckets,objectstorage.")
    private List<Group> only = List.of(Group.BUCKETS, Group.OBJECTSTORAGE);

    @Override
    public Integer call() {
        out().print(only.stream()
                .distinct()
                .map(group -> switch (group) {
                    case BUCKETS -> Crds.yaml(Crds.OBJECT_BUCKET_KINDS);
                    case COSI -> Crds.yaml(Crds.COSI_KINDS);
                    case OBJECTSTORAGE -> Crds.yaml(Crds.RELEASED_KINDS);
                })
                .collect(Collectors.joining("---\n")));
        out().flush();
        return 0;
    }
}
