package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.Crds;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether the CustomResourceDefinitions are installed, by whom, and in which version.
 *
 * @param group as in {@code bucketwright crds --only}
 * @param own the definitions of this version
 * @param role the role that serves them
 */
record DefinitionCheck(
        ClusterObservation observed, Findings found, String group, List<CustomResourceDefinition> own, LeaseRole role) {
    private static final String KIND = "CustomResourceDefinition";
    private static final String OTHER_PROJECT = "CrdOfAnotherProject";

    static void examine(ClusterObservation observed, Findings found) {
        if (!observed.all(CustomResourceDefinition.class).isComplete()) {
            return;
        }
        DefinitionCheck buckets =
                new DefinitionCheck(observed, found, "buckets", Crds.objectBuckets(), LeaseRole.BUCKETS);
        DefinitionCheck released =
                new DefinitionCheck(observed, found, "objectstorage", Crds.released(), LeaseRole.BUCKET_CLAIMS);
        DefinitionCheck cosi = new DefinitionCheck(observed, found, "cosi", Crds.cosi(), LeaseRole.COSI);
        boolean nothing = !buckets.isInstalled() && !released.isInstalled() && !cosi.isInstalled();
        buckets.examine(nothing);
        released.examine(nothing);
        cosi.examine(false);
    }

    private void examine(boolean nothing) {
        if (isInstalled() || isNeeded() || nothing) {
            own.forEach(wanted ->
                    installed(wanted).ifPresentOrElse(installed -> examine(installed, wanted), () -> missing(wanted)));
        }
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
        return observed.all(CustomResourceDefinition.class).stream()
                .filter(found -> found.getMetadata()
                        .getName()
                        .equals(wanted.getMetadata().getName()))
                .findFirst();
    }

    private void missing(CustomResourceDefinition wanted) {
        found.error(
                "CrdMissing",
                FoundObject.cluster(KIND, wanted.getMetadata().getName()),
                "The kind " + wanted.getSpec().getNames().getKind() + " is not installed.",
                "If Helm installed the controllers, repeat helm upgrade with the same values. Otherwise: " + install());
    }

    private String install() {
        return "bucketwright crds --only " + group + " | kubectl apply --server-side --field-manager bucketwright -f -";
    }

    private void examine(CustomResourceDefinition installed, CustomResourceDefinition wanted) {
        FoundObject object = FoundObject.cluster(KIND, installed.getMetadata().getName());
        boolean served = DefinitionOwner.version(installed)
                .filter(CustomResourceDefinitionVersion::getServed)
                .isPresent();
        if (!served || !isEstablished(installed)) {
            found.error(
                    "CrdNotServed",
                    object,
                    "The API server does not serve version "
                            + wanted.getSpec().getVersions().getFirst().getName() + " of this kind"
                            + versions(installed) + ".",
                    "kubectl describe crd " + object.name());
            return;
        }
        DefinitionOwner owner = owner(installed, wanted);
        String conditions = DefinitionOwner.keepsConditions(installed)
                ? ""
                : " Its schema drops conditions: reasons are in events only, and `kubectl wait"
                        + " --for=condition=Ready` does not work; wait for status.phase.";
        switch (owner) {
            case THIS_VERSION -> {}
            case OTHER_VERSION ->
                found.warning(
                        "CrdOutdated",
                        object,
                        "The definition is from another version of Bucketwright than this command.",
                        "If the controllers have this version: " + install());
            case ROOK, NOOBAA ->
                found.info(
                        OTHER_PROJECT,
                        object,
                        "The definition is from " + owner + ". Bucketwright works with it." + conditions,
                        "Leave it while that project is installed. See docs/coming-from-rook.md.");
            case REFERENCE ->
                found.info(
                        OTHER_PROJECT,
                        object,
                        "The definition is from " + owner + versions(installed) + ". Bucketwright works with it.",
                        "Leave it. See docs/cosi-released.md.");
            case UNKNOWN ->
                found.warning(
                        "CrdUnknown",
                        object,
                        "The definition is from " + owner + ", and its schema is not known to work." + conditions,
                        "If no other project needs it: " + install());
        }
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
