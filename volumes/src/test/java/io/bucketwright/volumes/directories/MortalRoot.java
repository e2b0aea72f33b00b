package io.bucketwright.volumes.directories;

import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.PosixRoot;
import io.bucketwright.volumes.directories.files.RootFolder;
import io.bucketwright.volumes.directories.files.RootIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A root whose process dies at the N-th step on the disk, before or after it took effect; every later one fails. */
final class MortalRoot implements RootFolder {

    private interface Step<R> {
        R run() throws IOException;
    }

    private final RootFolder folder;
    private final int fatal;
    private final Moment moment;
    private final AtomicInteger steps = new AtomicInteger();

    MortalRoot(Path path, int fatal, Moment moment) {
        this.folder = new PosixRoot(path);
        this.fatal = fatal;
        this.moment = moment;
    }

    boolean died() {
        return steps.get() >= fatal;
    }

    @Override
    public Optional<RootIdentity> identity() throws IOException {
        return folder.identity();
    }

    @Override
    public void initialize(RootIdentity identity) throws IOException {
        step(() -> {
            folder.initialize(identity);
            return true;
        });
    }

    @Override
    public DirectoryTree tree(RootIdentity identity) {
        return new MortalTree(folder.tree(identity));
    }

    private <R> R step(Step<R> step) throws IOException {
        int number = steps.incrementAndGet();
        if (number > fatal || (number == fatal && moment == Moment.BEFORE_EFFECT)) {
            throw new IOException("this process is dead");
        }
        R result = step.run();
        if (number == fatal) {
            throw new IOException("this process is dead");
        }
        return result;
    }

    private final class MortalTree implements DirectoryTree {

        private final DirectoryTree tree;

        MortalTree(DirectoryTree tree) {
            this.tree = tree;
        }

        @Override
        public List<Found> markers() throws IOException {
            return tree.markers();
        }

        @Override
        public Optional<Found> marker(AssetName name) throws IOException {
            return tree.marker(name);
        }

        @Override
        public boolean record(Marker marker) throws IOException {
            return step(() -> tree.record(marker));
        }

        @Override
        public void replace(Marker before, Marker after) throws IOException {
            step(() -> {
                tree.replace(before, after);
                return true;
            });
        }

        @Override
        public void removeMarker(Marker marker) throws IOException {
            step(() -> {
                tree.removeMarker(marker);
                return true;
            });
        }

        @Override
        public Standing standing(AssetName name) throws IOException {
            return tree.standing(name);
        }

        @Override
        public void make(Marker marker) throws IOException {
            step(() -> {
                tree.make(marker);
                return true;
            });
        }

        @Override
        public void own(Marker marker) throws IOException {
            step(() -> {
                tree.own(marker);
                return true;
            });
        }

        @Override
        public boolean limit(Marker marker) throws IOException {
            return tree.limit(marker);
        }

        @Override
        public boolean removeIfEmpty(Marker marker) throws IOException {
            return step(() -> tree.removeIfEmpty(marker));
        }

        @Override
        public void retire(Marker marker) throws IOException {
            step(() -> {
                tree.retire(marker);
                return true;
            });
        }

        @Override
        public boolean empty(Marker marker, BooleanSupplier goOn) throws IOException {
            return step(() -> tree.empty(marker, goOn));
        }

        @Override
        public void archive(Marker marker) throws IOException {
            step(() -> {
                tree.archive(marker);
                return true;
            });
        }

        @Override
        public Measure measure(AssetName name, BooleanSupplier goOn) throws IOException {
            return tree.measure(name, goOn);
        }

        @Override
        public Space space() throws IOException {
            return tree.space();
        }
    }
}
