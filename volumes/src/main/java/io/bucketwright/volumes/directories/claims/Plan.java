package io.bucketwright.volumes.directories.claims;

import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;

/**
 * What is to be made.
 *
 * @param marker as it is to be written
 * @param deletes whether the volume's reclaim policy is Delete, otherwise Retain
 * @param reuses whether the claim wants back what a former claim of its name left
 */
record Plan(
        PersistentVolumeClaim claim, DirectoryClass directoryClass, Marker marker, boolean deletes, boolean reuses) {}
