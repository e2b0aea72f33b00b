package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.Listing;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Runs the checks. */
public final class Diagnosis {

    private Diagnosis() {}

    /** The findings of the checks in the scope, most serious first. */
    public static List<Finding> of(ClusterObservation observed) {
        return observed.scope().checks().stream()
                .sorted()
                .flatMap(check -> Stream.concat(notChecked(check, observed), run(check, observed)))
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    private static Stream<Finding> run(CheckName check, ClusterObservation observed) {
        return switch (check) {
            case SERVER -> ServerCheck.examine(observed);
            case CRDS -> DefinitionCheck.examine(observed);
            case LEADERS -> LeaderCheck.examine(observed);
            case PERMISSIONS -> PermissionCheck.examine(observed);
            case CLASSES -> Stream.concat(ClassCheck.examine(observed), BucketNameCheck.examine(observed));
            case STORES -> StoreCheck.examine(observed);
            case CLAIMS ->
                Stream.of(
                                ClaimCheck.examine(observed),
                                ReleasedClaimCheck.examine(observed),
                                VolumeClaimCheck.examine(observed))
                        .flatMap(findings -> findings);
            case ORPHANS -> OrphanCheck.examine(observed);
            case FINALIZERS -> FinalizerCheck.examine(observed);
        };
    }

    /** What the user may not list, in the first check that needs it. */
    private static Stream<Finding> notChecked(CheckName check, ClusterObservation observed) {
        return observed.listings()
                .filter(listing -> !listing.isComplete() && firstUser(listing) == check)
                .map(listing -> Finding.info(
                        check,
                        Finding.NOT_CHECKED,
                        FoundObject.cluster(listing.kind(), "*"),
                        "You may not list all objects of kind " + listing.kind()
                                + ", so checks that need them are incomplete: " + listing.problem(),
                        "Run this command as a user with the ClusterRole view and permission to list cluster-scoped"
                                + " objects, or ask an administrator."));
    }

    private static CheckName firstUser(Listing<?> listing) {
        Set<String> classes = Set.of("StorageClass", "BucketClass", "BucketAccessClass");
        String kind = listing.kind().replace("." + ReleasedNames.GROUP, "");
        return switch (kind) {
            case "CustomResourceDefinition" -> CheckName.CRDS;
            case "Lease", "Deployment", "DaemonSet" -> CheckName.LEADERS;
            case "PersistentVolume" -> CheckName.FINALIZERS;
            case "ObjectBucket", "Bucket", "BucketAccess" -> CheckName.ORPHANS;
            default -> classes.contains(kind) ? CheckName.CLASSES : CheckName.CLAIMS;
        };
    }
}
