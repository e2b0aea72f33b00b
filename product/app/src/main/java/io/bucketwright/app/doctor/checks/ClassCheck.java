package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether classes have valid parameters, and a provisioner that runs. */
record ClassCheck(ClusterObservation observed, Findings found) {
    /** The provisioner knows the real one. It only matters for classes without the parameter assetRoot. */
    private static final Path ANY_ROOT = Path.of("/srv");

    private static final String INVALID = "InvalidClass";
    private static final String CLASS_NOT_SERVED = "ClassNotServed";
    private static final String NEW_CLASS =
            "Parameters of a class cannot be changed: delete the class and create it again. Existing claims keep their"
                    + " bucket. See docs/reference/parameters.md.";

    void examine() {
        for (ParsedClass parsed : observed.classes()) {
            if (!parsed.problem().isEmpty()) {
                String problem = "For a store of kind " + parsed.store() + ": " + parsed.problem();
                found.error(INVALID, FoundObject.of(parsed.storageClass()), problem, NEW_CLASS);
            }
        }
        severalDefaults();
        for (ParsedClass parsed : observed.classes()) {
            StorageClass storageClass = parsed.storageClass();
            String provisioner = storageClass.getProvisioner();
            requireServed(observed.isServed(provisioner), storageClass, provisioner, LeaseRole.BUCKETS.toString());
        }
        observed.all(StorageClass.class).stream()
                .filter(any -> DoctorScope.DIRECTORY_PROVISIONER.equals(any.getProvisioner()))
                .forEach(this::directories);
        observed.all(ReleasedBucketClass.class).stream().forEach(this::refused);
        observed.all(ReleasedBucketClass.class).stream().forEach(any -> released(any, any.getDriverName()));
        observed.all(ReleasedBucketAccessClass.class).stream().forEach(any -> released(any, any.getDriverName()));
        observed.all(BucketClass.class).stream().forEach(any -> cosi(any, any.getProvisioner()));
        observed.all(BucketAccessClass.class).stream().forEach(any -> cosi(any, any.getProvisioner()));
    }

    private void severalDefaults() {
        List<StorageClass> defaults = observed.classes().stream()
                .map(ParsedClass::storageClass)
                .filter(any -> Metadata.annotation(any, ObjectBucketNames.DEFAULT_CLASS_ANNOTATION)
                        .equals("true"))
                .toList();
        if (defaults.size() >= 2) {
            found.error(
                    "SeveralDefaultClasses",
                    FoundObject.of(defaults.getFirst()),
                    "Claims without a class cannot be bound, because several classes are the default: "
                            + defaults.stream()
                                    .map(any -> any.getMetadata().getName())
                                    .collect(Collectors.joining(", "))
                            + ".",
                    "kubectl annotate storageclass "
                            + defaults.getLast().getMetadata().getName() + " "
                            + ObjectBucketNames.DEFAULT_CLASS_ANNOTATION + "-");
        }
    }

    private void requireServed(boolean served, HasMetadata ofClass, String provisioner, String role) {
        if (!served && observed.leases().isComplete()) {
            found.error(
                    CLASS_NOT_SERVED,
                    FoundObject.of(ofClass),
                    "Nobody serves the provisioner " + provisioner + " of this class: the role " + role
                            + " has no leader for it.",
                    "Start the controller. See the findings of the check leaders.");
        }
    }

    private void directories(StorageClass storageClass) {
        try {
            DirectoryClass _ = DirectoryClass.parse(storageClass, ANY_ROOT);
        } catch (InvalidClassException e) {
            found.error(INVALID, FoundObject.of(storageClass), String.valueOf(e.getMessage()), NEW_CLASS);
        }
        requireServed(
                observed.isServedByDirectories(storageClass),
                storageClass,
                storageClass.getProvisioner(),
                LeaseRole.DIRECTORIES.toString());
    }

    private void refused(ReleasedBucketClass bucketClass) {
        @Nullable
        String problem = observed.refused().get(bucketClass.getMetadata().getName());
        if (problem != null) {
            found.error(
                    INVALID,
                    FoundObject.of(bucketClass),
                    "Driver " + bucketClass.getDriverName() + " refuses the parameters of this class: " + problem,
                    "Delete the class and create it again. Buckets keep the parameters that they were created with."
                            + " See docs/reference/parameters.md.");
        }
    }

    /** Any sidecar counts: that of the reference implementation has the same Lease, in the namespace of its driver. */
    private void released(HasMetadata ofClass, String driver) {
        String lease = ReleasedNames.leaseOf(driver);
        if (observed.leases().lacks(any -> any.name().equals(lease) && observed.isLed(any))) {
            found.error(
                    CLASS_NOT_SERVED,
                    FoundObject.of(ofClass),
                    "Nobody serves the driver " + driver + " of this class: no sidecar holds a Lease " + lease + ".",
                    "Start the driver and its sidecar, or correct driverName in a new class. The value drivers of the"
                            + " Helm chart adds a driver of Bucketwright: docs/cosi-released.md.");
        }
    }

    private void cosi(HasMetadata ofClass, String provisioner) {
        boolean served = Provisioner.of(provisioner).stream()
                .anyMatch(name -> observed.leases().stream()
                        .anyMatch(lease -> isSidecarOf(lease, name) && observed.isLed(lease)));
        requireServed(served, ofClass, provisioner, "sidecar of " + provisioner);
    }

    /** Whether the Lease is the one of a provisioner's sidecar. */
    private static boolean isSidecarOf(RoleLease lease, Provisioner provisioner) {
        return lease.namespace().equals(provisioner.namespace())
                && lease.name().equals(LeaseRole.SIDECAR.lease() + provisioner.name());
    }
}
