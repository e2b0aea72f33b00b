package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;

/**
 * A valid request for a directory.
 *
 * @param marker the marker to write
 * @param deletes whether the volume's reclaim policy is Delete; otherwise it is Retain
 * @param reusesExisting whether the claim wants the directory that an earlier claim of its name left
 */
record DirectoryRequest(
        PersistentVolumeClaim claim,
        DirectoryClass directoryClass,
        Marker marker,
        boolean deletes,
        boolean reusesExisting) {}
