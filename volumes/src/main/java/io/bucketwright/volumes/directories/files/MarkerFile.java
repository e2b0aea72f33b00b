package io.bucketwright.volumes.directories.files;

/** The file of a marker, as it was read. */
public sealed interface MarkerFile {

    DirectoryName name();

    record Valid(Marker marker) implements MarkerFile {
        @Override
        public DirectoryName name() {
            return marker.name();
        }
    }

    /** A file that this version cannot read. Its directory is left unchanged. */
    record Invalid(DirectoryName name, String problem) implements MarkerFile {}
}
