package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootDirectory;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** All roots of the process. */
final class Roots implements AutoCloseable {

    private final Map<Path, Root> roots = new LinkedHashMap<>();

    Roots(Collection<Path> paths, Function<Path, RootDirectory> directories, Leadership leadership, TimeSource time) {
        paths.forEach(path -> roots.putIfAbsent(path, new Root(path, directories.apply(path), leadership, time)));
    }

    Collection<Root> all() {
        return roots.values();
    }

    Root at(Path path) {
        return Optional.ofNullable(roots.get(path))
                .orElseThrow(() -> new IllegalArgumentException(path + " is not one of the roots " + roots.keySet()));
    }

    /** The marker of a claim, in whichever root it is. */
    Optional<MarkerLocation> markerOfClaim(String uid) {
        return roots.values().stream()
                .flatMap(root ->
                        root.markers().byClaim(uid).map(marker -> new MarkerLocation(root.path(), marker)).stream())
                .findFirst();
    }

    /** The markers with the name of a volume, whichever claims they name. */
    Stream<Marker> markersOfVolume(String name) {
        return roots.values().stream().flatMap(root -> root.markers().byVolume(name).stream());
    }

    /** Call this when the work on a key ends: it may have waited for a root. */
    void forget(Runnable requeue) {
        roots.values().forEach(root -> root.forget(requeue));
    }

    @Override
    public void close() {
        roots.values().forEach(Root::close);
    }
}
