package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The directories of a root on a mounted file system. The root is opened anew for each step, so that none goes astray. */
final class PosixTree implements DirectoryTree {

    private static final String TRASH = "trash";
    static final String ARCHIVE = "archive";
    private static final int PRIVATE = 0700;

    private final PosixRoot place;
    private final RootIdentity identity;
    private final MarkerFormat format;

    PosixTree(PosixRoot place, RootIdentity identity, MarkerFormat format) {
        this.place = place;
        this.identity = identity;
        this.format = format;
    }

    private interface Step<R> {
        R with(Dir root, Dir ours) throws IOException;
    }

    private <R> R step(Step<R> step) throws IOException {
        try (Dir root = place.open(identity);
                Dir ours = root.open(PosixRoot.OURS)) {
            return step.with(root, ours);
        }
    }

    @Override
    public List<Found> markers() throws IOException {
        return step((_, ours) -> {
            List<Found> found = new ArrayList<>();
            for (Entry entry : ours.entries(Integer.MAX_VALUE)) {
                String file = new String(entry.name(), StandardCharsets.UTF_8);
                if (file.startsWith(Dir.UNFINISHED)) {
                    ours.unlink(entry.name());
                } else if (file.endsWith(".json") && !file.equals(PosixRoot.IDENTITY)) {
                    String name = file.substring(0, file.length() - ".json".length());
                    if (AssetName.fits(name)) {
                        read(ours, new AssetName(name)).ifPresent(found::add);
                    }
                }
            }
            return found;
        });
    }

    @Override
    public Optional<Found> marker(AssetName name) throws IOException {
        return step((_, ours) -> read(ours, name));
    }

    @Override
    public boolean record(Marker marker) throws IOException {
        return step((_, ours) -> ours.create(marker.name().marker(), format.write(marker)));
    }

    @Override
    public void replace(Marker before, Marker after) throws IOException {
        step((_, ours) -> {
            require(ours, before);
            ours.replace(after.name().marker(), format.write(after));
            return true;
        });
    }

    @Override
    public void removeMarker(Marker marker) throws IOException {
        step((_, ours) -> {
            if (isStill(ours, marker)) {
                ours.unlink(Dir.bytes(marker.name().marker()));
            }
            return true;
        });
    }

    @Override
    public Standing standing(AssetName name) throws IOException {
        return step((root, _) -> root.status(name.text())
                .map(status -> status.isDirectory() ? Standing.DIRECTORY : Standing.SOMETHING_ELSE)
                .orElse(Standing.NOTHING));
    }

    @Override
    public void make(Marker marker) throws IOException {
        String name = marker.name().text();
        step((root, ours) -> {
            require(ours, marker);
            root.make(name, PRIVATE);
            // What was there before may be anything; only a directory can be opened.
            root.open(name).close();
            root.sync();
            return true;
        });
    }

    @Override
    public void own(Marker marker) throws IOException {
        step((root, ours) -> {
            require(ours, marker);
            try (Dir directory = root.open(marker.name().text())) {
                requireSameMount(root, directory, marker.name());
                directory.own((int) marker.owner().uid(), (int) marker.owner().gid());
                // Second: a change of owner takes the setgid bit away.
                directory.mode(marker.mode().bits());
                return true;
            }
        });
    }

    @Override
    public boolean limit(Marker marker) throws IOException {
        return step((root, ours) -> {
            require(ours, marker);
            try (Dir directory = root.open(marker.name().text())) {
                requireSameMount(root, directory, marker.name());
                return directory.limit(marker.bytes());
            }
        });
    }

    @Override
    public boolean removeIfEmpty(Marker marker) throws IOException {
        return step((root, ours) -> {
            try {
                if (isStill(ours, marker)) {
                    root.removeDirectory(Dir.bytes(marker.name().text()));
                }
                return true;
            } catch (FileProblem e) {
                if (e.is(FileProblem.ENOTEMPTY) || e.is(FileProblem.EEXIST)) {
                    return false;
                }
                if (e.is(FileProblem.ENOENT)) {
                    return true;
                }
                throw e;
            }
        });
    }

    @Override
    public void retire(Marker marker) throws IOException {
        step((root, ours) -> {
            try (Dir trash = ours.openOrMake(TRASH, PRIVATE)) {
                if (isStill(ours, marker)) {
                    take(root, marker, trash, marker.claim().uid());
                }
                return true;
            }
        });
    }

    @Override
    public boolean empty(Marker marker, BooleanSupplier goOn) throws IOException {
        return step((_, ours) -> {
            try (Dir trash = ours.openOrMake(TRASH, PRIVATE)) {
                return new TreeRemoval(trash, goOn).remove(marker.claim().uid());
            }
        });
    }

    @Override
    public void archive(Marker marker) throws IOException {
        step((root, ours) -> {
            try (Dir archive = ours.openOrMake(ARCHIVE, PRIVATE)) {
                require(ours, marker);
                // First its record: an archived directory without one could not be given back to its claim.
                archive.create(marker.archive() + ".json", format.write(marker));
                take(root, marker, archive, marker.archive());
                archive.sync();
                return true;
            }
        });
    }

    @Override
    public Measure measure(AssetName name, BooleanSupplier goOn) throws IOException {
        return step((root, _) -> {
            try (Dir directory = root.open(name.text())) {
                return new TreeMeasurement(goOn).of(directory);
            }
        });
    }

    @Override
    public Space space() throws IOException {
        place.open(identity).close();
        FileStore store = Files.getFileStore(place.path());
        return new Space(store.getTotalSpace(), store.getUsableSpace());
    }

    private void require(Dir ours, Marker marker) throws IOException {
        if (!isStill(ours, marker)) {
            throw new IOException("The marker of directory " + marker.name() + " is gone or another claim's by now");
        }
    }

    private boolean isStill(Dir ours, Marker marker) throws IOException {
        return read(ours, marker.name())
                .filter(found -> found instanceof Found.Known(Marker there)
                        && there.claim().uid().equals(marker.claim().uid())
                        && there.state() == marker.state())
                .isPresent();
    }

    private static void take(Dir root, Marker marker, Dir to, String newName) throws IOException {
        byte[] name = Dir.bytes(marker.name().text());
        Optional<Status> status = root.status(name);
        if (status.isEmpty()) {
            return;
        }
        if (!status.get().isDirectory()) {
            throw new FileProblem("Taking " + marker.name(), FileProblem.ENOTDIR);
        }
        try (Dir directory = root.open(name)) {
            requireSameMount(root, directory, marker.name());
        }
        root.move(name, to, Dir.bytes(newName));
        root.sync();
        to.sync();
    }

    private static void requireSameMount(Dir root, Dir directory, AssetName name) throws IOException {
        if (!root.status().mount().equals(directory.status().mount())) {
            throw new FileProblem("Something is mounted at directory " + name + ", unmount it", FileProblem.EBUSY);
        }
    }

    private Optional<Found> read(Dir ours, AssetName name) throws IOException {
        Optional<byte[]> content = ours.read(name.marker());
        if (content.isEmpty()) {
            return Optional.empty();
        }
        try {
            Marker marker = format.marker(name, content.get());
            return Optional.of(new Found.Known(marker));
        } catch (UnreadableMarker e) {
            return Optional.of(new Found.Unknown(name, String.valueOf(e.getMessage())));
        }
    }
}
