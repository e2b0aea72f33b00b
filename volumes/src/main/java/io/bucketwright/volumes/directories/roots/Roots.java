package io.bucketwright.volumes.directories.roots;

import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** All roots of the process. */
public final class Roots implements AutoCloseable {

    private final Map<Path, Root> all = new LinkedHashMap<>();
    private final AtomicReference<Consumer<Path>> reopen = new AtomicReference<>(path -> {});

    public Roots(Collection<Path> paths, Function<Path, RootFolder> folders) {
        paths.forEach(path -> all.computeIfAbsent(path, it -> new Root(it, folders.apply(it))));
    }

    public Collection<Root> all() {
        return all.values();
    }

    public Root at(Path path) {
        return Optional.ofNullable(all.get(path))
                .orElseThrow(() -> new IllegalArgumentException(path + " is none of the roots " + all.keySet()));
    }

    /** Where that claim's marker is. */
    public Optional<Holding> ofClaim(String uid) {
        return all.values().stream()
                .flatMap(root -> root.ofClaim(uid).map(marker -> new Holding(root.path(), marker)).stream())
                .findFirst();
    }

    /** A step failed; if that means that the root is gone, it is closed and looked for again. */
    public void failed(Root root, IOException e) {
        if (Root.isLoss(e)) {
            root.closed(String.valueOf(e.getMessage()));
            reopen.get().accept(root.path());
        }
    }

    void onLoss(Consumer<Path> listener) {
        reopen.set(listener);
    }

    @Override
    public void close() {
        all.values().forEach(Root::close);
    }

    /** A marker and the root it is in. */
    public record Holding(Path root, Marker marker) {}
}
