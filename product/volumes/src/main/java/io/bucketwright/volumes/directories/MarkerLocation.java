package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.files.Marker;
import java.nio.file.Path;

/** A marker and the root that contains it. */
record MarkerLocation(Path root, Marker marker) {}
