package io.bucketwright.volumes.directories.files;

import java.util.Optional;

/** The file of a marker, as it was read. */
public sealed interface MarkerFile {

    DirectoryName name();

    /** The marker; empty if the file cannot be read. */
    default Optional<Marker> valid() {
        return this instanceof Valid(Marker marker) ? Optional.of(marker) : Optional.empty();
    }

    record Valid(Marker marker) implements MarkerFile {
        @Override
        public DirectoryName name() {
            return marker.name();
        }
    }

    /** A file that this version cannot read. Its directory is left unchanged. */
    record Invalid(DirectoryName name, String problem) implements MarkerFile {}
}
