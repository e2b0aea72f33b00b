package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.DoctorScope;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.app.doctor.observation.ParsedClass;
import io.bucketwright.app.doctor.observation.RoleLease;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.InvalidClassException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether classes have valid parameters, and a provisioner that runs. */
final class ClassCheck {

    /** The provisioner knows the real one. It only matters for classes without the parameter assetRoot. */
    private static final Path ANY_ROOT = Path.of("/srv");

    private static final String INVALID = "InvalidClass";
    private static final String CLASS_NOT_SERVED = "ClassNotServed";
    private static final String NEW_CLASS =
            "Parameters of a class cannot be changed: delete the class and create it again. Existing claims keep their"
                    + " bucket. See docs/reference/parameters.md.";

    private ClassCheck() {}

    static Stream<Finding> examine(ClusterObservation observed) {
        return Stream.of(
                        observed.classes().stream().flatMap(ClassCheck::invalid),
                        severalDefaults(observed),
                        notServed(observed),
                        directories(observed),
                        released(observed),
                        cosi(observed))
                .flatMap(findings -> findings);
    }

    private static Stream<Finding> invalid(ParsedClass found) {
        return found.problem().isEmpty()
                ? Stream.empty()
                : Stream.of(Finding.error(
                        CheckName.CLASSES,
                        INVALID,
                        FoundObject.of(found.storageClass()),
                        "For a store of kind " + found.store() + ": " + found.problem(),
                        NEW_CLASS));
    }

    private static Stream<Finding> severalDefaults(ClusterObservation observed) {
        List<StorageClass> defaults = observed.classes().stream()
                .map(ParsedClass::storageClass)
                .filter(found -> Metadata.annotation(found, ObjectBucketNames.DEFAULT_CLASS_ANNOTATION)
                        .equals("true"))
                .toList();
        return defaults.size() < 2
                ? Stream.empty()
                : Stream.of(Finding.error(
                        CheckName.CLASSES,
                        "SeveralDefaultClasses",
                        FoundObject.of(defaults.getFirst()),
                        "Claims without a class cannot be bound, because several classes are the default: "
                                + defaults.stream()
                                        .map(found -> found.getMetadata().getName())
                                        .collect(Collectors.joining(", "))
                                + ".",
                        "kubectl annotate storageclass "
                                + defaults.getLast().getMetadata().getName() + " "
                                + ObjectBucketNames.DEFAULT_CLASS_ANNOTATION + "-"));
    }

    private static Stream<Finding> notServed(ClusterObservation observed) {
        if (!observed.leases().isComplete()) {
            return Stream.empty();
        }
        return observed.classes().stream()
                .filter(found -> !observed.isServed(found.storageClass().getProvisioner()))
                .map(found -> notServed(
                        found.storageClass(), found.storageClass().getProvisioner(), LeaseRole.BUCKETS.toString()));
    }

    private static Finding notServed(HasMetadata found, String provisioner, String role) {
        return Finding.error(
                CheckName.CLASSES,
                CLASS_NOT_SERVED,
                FoundObject.of(found),
                "Nobody serves the provisioner " + provisioner + " of this class: the role " + role
                        + " has no leader for it.",
                "Start the controller. See the findings of the check leaders.");
    }

    private static Stream<Finding> directories(ClusterObservation observed) {
        boolean known = observed.leases().isComplete();
        return observed.storageClasses().stream()
                .filter(found -> DoctorScope.DIRECTORY_PROVISIONER.equals(found.getProvisioner()))
                .flatMap(found -> Stream.concat(
                        invalidDirectory(found).stream(),
                        known && !observed.isServedByDirectories(found)
                                ? Stream.of(notServed(found, found.getProvisioner(), LeaseRole.DIRECTORIES.toString()))
                                : Stream.empty()));
    }

    private static Optional<Finding> invalidDirectory(StorageClass found) {
        try {
            DirectoryClass _ = DirectoryClass.parse(found, ANY_ROOT);
            return Optional.empty();
        } catch (InvalidClassException e) {
            return Optional.of(Finding.error(
                    CheckName.CLASSES, INVALID, FoundObject.of(found), String.valueOf(e.getMessage()), NEW_CLASS));
        }
    }

    private static Stream<Finding> released(ClusterObservation observed) {
        return Stream.of(
                        observed.released().classes().stream().flatMap(found -> refused(found, observed).stream()),
                        observed.released().classes().stream()
                                .flatMap(found -> released(found, found.getDriverName(), observed)),
                        observed.released().accessClasses().stream()
                                .flatMap(found -> released(found, found.getDriverName(), observed)))
                .flatMap(findings -> findings);
    }

    private static Optional<Finding> refused(ReleasedBucketClass found, ClusterObservation observed) {
        return Optional.ofNullable(
                        observed.released().invalid().get(found.getMetadata().getName()))
                .map(problem -> Finding.error(
                        CheckName.CLASSES,
                        INVALID,
                        FoundObject.of(found),
                        "Driver " + found.getDriverName() + " refuses the parameters of this class: " + problem,
                        "Delete the class and create it again. Buckets keep the parameters that they were created with."
                                + " See docs/reference/parameters.md."));
    }

    /** Any sidecar counts: that of the reference implementation has the same Lease, in the namespace of its driver. */
    private static Stream<Finding> released(HasMetadata found, String driver, ClusterObservation observed) {
        String lease = ReleasedNames.leaseOf(driver);
        boolean served = observed.leases().stream().anyMatch(any -> any.name().equals(lease) && observed.isLed(any));
        return served || !observed.leases().isComplete()
                ? Stream.empty()
                : Stream.of(Finding.error(
                        CheckName.CLASSES,
                        CLASS_NOT_SERVED,
                        FoundObject.of(found),
                        "Nobody serves the driver " + driver + " of this class: no sidecar holds a Lease " + lease
                                + ".",
                        "Start the driver and its sidecar, or correct driverName in a new class. The value drivers of the"
                                + " Helm chart adds a driver of Bucketwright: docs/cosi-released.md."));
    }

    private static Stream<Finding> cosi(ClusterObservation observed) {
        if (!observed.leases().isComplete()) {
            return Stream.empty();
        }
        return Stream.concat(
                observed.cosi().classes().stream().flatMap(found -> cosi(found, found.getProvisioner(), observed)),
                observed.cosi().accessClasses().stream()
                        .flatMap(found -> cosi(found, found.getProvisioner(), observed)));
    }

    private static Stream<Finding> cosi(HasMetadata found, String provisioner, ClusterObservation observed) {
        boolean served = Provisioner.of(provisioner).stream()
                .anyMatch(name -> observed.leases().stream()
                        .anyMatch(lease -> isSidecarOf(lease, name) && observed.isLed(lease)));
        return served ? Stream.empty() : Stream.of(notServed(found, provisioner, "sidecar of " + provisioner));
    }

    /** Whether the Lease is the one of a provisioner's sidecar. */
    static boolean isSidecarOf(RoleLease lease, Provisioner provisioner) {
        return lease.namespace().equals(provisioner.namespace())
                && lease.name().equals(LeaseRole.SIDECAR.lease() + provisioner.name());
    }
}
