package io.bucketwright.volumes.directories.roots;

import io.bucketwright.volumes.directories.files.Marker;
import java.nio.file.Path;

/** A marker and the root that contains it. */
public record MarkerLocation(Path root, Marker marker) {}
