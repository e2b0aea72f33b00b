package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.doctor.observation.CheckName;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.Listing;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Runs the checks. */
public final class Diagnosis {

    private Diagnosis() {}

    /** The findings of the checks in the scope, most serious first. */
    public static List<Finding> of(ClusterObservation observed) {
        return observed.scope().checks().stream()
                .sorted()
                .flatMap(check -> findings(check, observed).stream())
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    private static List<Finding> findings(CheckName check, ClusterObservation observed) {
        Findings found = new Findings(check);
        // What the user may not list, in the first check that needs it.
        observed.listings()
                .filter(listing -> !listing.isComplete() && firstUser(listing) == check)
                .forEach(listing -> found.info(
                        Finding.NOT_CHECKED,
                        FoundObject.cluster(listing.kind(), "*"),
                        "You may not list all objects of kind " + listing.kind()
                                + ", so checks that need them are incomplete: " + listing.problem(),
                        "Run this command as a user with the ClusterRole view and permission to list cluster-scoped"
                                + " objects, or ask an administrator."));
        switch (check) {
            case SERVER -> new ServerCheck(observed, found).examine();
            case CRDS -> DefinitionCheck.examine(observed, found);
            case LEADERS -> new LeaderCheck(observed, found).examine();
            case PERMISSIONS -> new PermissionCheck(observed, found).examine();
            case CLASSES -> {
                new ClassCheck(observed, found).examine();
                new BucketNameCheck(observed, found).examine();
            }
            case STORES -> new StoreCheck(observed, found).examine();
            case CLAIMS -> {
                new ClaimCheck(observed, found).examine();
                new ReleasedClaimCheck(observed, found).examine();
                new VolumeClaimCheck(observed, found).examine();
            }
            case ORPHANS -> new OrphanCheck(observed, found).examine();
            case FINALIZERS -> {
                new FinalizerCheck(observed, found).examine();
                new GrantCheck(observed, found).examine();
            }
        }
        return found.all();
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
