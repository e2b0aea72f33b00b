package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.Crds;
import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether the CustomResourceDefinitions are installed, by whom, and in which version. */
final class DefinitionCheck {

    private static final String KIND = "CustomResourceDefinition";
    private static final String OTHER_PROJECT = "CrdOfAnotherProject";

    private final ClusterObservation observed;
    private final String group;
    private final List<CustomResourceDefinition> own;
    private final LeaseRole role;

    private DefinitionCheck(
            ClusterObservation observed, String group, List<CustomResourceDefinition> own, LeaseRole role) {
        this.observed = observed;
        this.group = group;
        this.own = own;
        this.role = role;
    }

    static Stream<Finding> examine(ClusterObservation observed) {
        if (!observed.definitions().isComplete()) {
            return Stream.empty();
        }
        DefinitionCheck buckets = new DefinitionCheck(observed, "buckets", Crds.objectBuckets(), LeaseRole.BUCKETS);
        DefinitionCheck released =
                new DefinitionCheck(observed, "objectstorage", Crds.released(), LeaseRole.BUCKET_CLAIMS);
        DefinitionCheck cosi = new DefinitionCheck(observed, "cosi", Crds.cosi(), LeaseRole.COSI);
        boolean nothing = !buckets.isInstalled() && !released.isInstalled() && !cosi.isInstalled();
        return Stream.of(buckets.examine(nothing), released.examine(nothing), cosi.examine(false))
                .flatMap(findings -> findings);
    }

    private Stream<Finding> examine(boolean nothing) {
        if (!isInstalled() && !isNeeded() && !nothing) {
            return Stream.empty();
        }
        return own.stream()
                .flatMap(wanted -> installed(wanted)
                        .map(found -> examine(found, wanted))
                        .orElseGet(() -> Stream.of(missing(wanted))));
    }

    private boolean isInstalled() {
        return own.stream().anyMatch(wanted -> installed(wanted).isPresent());
    }

    /** Whether a controller for these kinds runs or ran. */
    private boolean isNeeded() {
        Set<LeaseRole> roles = switch (role) {
            case BUCKET_CLAIMS -> EnumSet.of(role, LeaseRole.RELEASED_SIDECAR);
            case COSI -> EnumSet.of(role, LeaseRole.SIDECAR);
            default -> EnumSet.of(role);
        };
        return observed.leases().stream().anyMatch(lease -> roles.contains(lease.role()));
    }

    private Optional<CustomResourceDefinition> installed(CustomResourceDefinition wanted) {
        return observed.definitions().stream()
                .filter(found -> found.getMetadata()
                        .getName()
                        .equals(wanted.getMetadata().getName()))
                .findFirst();
    }

    private Finding missing(CustomResourceDefinition wanted) {
        return Finding.error(
                CheckName.CRDS,
                "CrdMissing",
                FoundObject.cluster(KIND, wanted.getMetadata().getName()),
                "The kind " + wanted.getSpec().getNames().getKind() + " is not installed.",
                "If Helm installed the controllers, repeat helm upgrade with the same values. Otherwise: " + install());
    }

    private String install() {
        return "bucketwright crds --only " + group + " | kubectl apply --server-side --field-manager bucketwright -f -";
    }

    private Stream<Finding> examine(CustomResourceDefinition found, CustomResourceDefinition wanted) {
        FoundObject object = FoundObject.cluster(KIND, found.getMetadata().getName());
        boolean served = DefinitionOwner.version(found)
                .filter(CustomResourceDefinitionVersion::getServed)
                .isPresent();
        if (!served || !isEstablished(found)) {
            return Stream.of(Finding.error(
                    CheckName.CRDS,
                    "CrdNotServed",
                    object,
                    "The API server does not serve version "
                            + wanted.getSpec().getVersions().getFirst().getName() + " of this kind" + versions(found)
                            + ".",
                    "kubectl describe crd " + object.name()));
        }
        DefinitionOwner owner = owner(found, wanted);
        String conditions = DefinitionOwner.keepsConditions(found)
                ? ""
                : " Its schema drops conditions: reasons are in events only, and `kubectl wait"
                        + " --for=condition=Ready` does not work; wait for status.phase.";
        return switch (owner) {
            case THIS_VERSION -> Stream.empty();
            case OTHER_VERSION ->
                Stream.of(Finding.warning(
                        CheckName.CRDS,
                        "CrdOutdated",
                        object,
                        "The definition is from another version of Bucketwright than this command.",
                        "If the controllers have this version: " + install()));
            case ROOK, NOOBAA ->
                Stream.of(Finding.info(
                        CheckName.CRDS,
                        OTHER_PROJECT,
                        object,
                        "The definition is from " + owner + ". Bucketwright works with it." + conditions,
                        "Leave it while that project is installed. See docs/coming-from-rook.md."));
            case REFERENCE ->
                Stream.of(Finding.info(
                        CheckName.CRDS,
                        OTHER_PROJECT,
                        object,
                        "The definition is from " + owner + versions(found) + ". Bucketwright works with it.",
                        "Leave it. See docs/cosi-released.md."));
            case UNKNOWN ->
                Stream.of(Finding.warning(
                        CheckName.CRDS,
                        "CrdUnknown",
                        object,
                        "The definition is from " + owner + ", and its schema is not known to work." + conditions,
                        "If no other project needs it: " + install()));
        };
    }

    /** The schema of claims does not show which project made it; that of ObjectBuckets, which comes with it, does. */
    private DefinitionOwner owner(CustomResourceDefinition found, CustomResourceDefinition wanted) {
        DefinitionOwner owner = DefinitionOwner.of(found, wanted);
        return owner == DefinitionOwner.UNKNOWN
                ? own.stream()
                        .flatMap(other ->
                                installed(other).map(installed -> DefinitionOwner.of(installed, other)).stream())
                        .filter(other -> other == DefinitionOwner.ROOK || other == DefinitionOwner.NOOBAA)
                        .findFirst()
                        .orElse(owner)
                : owner;
    }

    private static boolean isEstablished(CustomResourceDefinition found) {
        return found.getStatus() != null
                && found.getStatus().getConditions() != null
                && found.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    /** The versions that it has, in parentheses. */
    private static String versions(CustomResourceDefinition found) {
        return found.getSpec().getVersions().stream()
                .map(CustomResourceDefinitionVersion::getName)
                .collect(Collectors.joining(", ", " (its versions: ", ")"));
    }
}
