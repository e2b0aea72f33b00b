package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootFolder;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.files.RootLost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One root: its state, its ledger, its threads, and who waits for it. */
public final class Root implements AutoCloseable {

    private static final int SHORT_STEPS = 4;
    private static final int LONG_STEPS = 2;

    private final Path path;
    private final RootFolder folder;
    private final Ledger ledger = new Ledger();
    private final Lane shortSteps;
    private final Lane longSteps;
    private final ReentrantLock[] locks =
            Stream.generate(ReentrantLock::new).limit(64).toArray(ReentrantLock[]::new);
    private final Map<Object, Runnable> waiting = new LinkedHashMap<>();
    private volatile RootState state = new RootState.Unopened();

    Root(Path path, RootFolder folder) {
        this.path = path;
        this.folder = folder;
        this.shortSteps = new Lane("disk-" + path.getFileName(), SHORT_STEPS);
        this.longSteps = new Lane("disk-long-" + path.getFileName(), LONG_STEPS);
    }

    public Path path() {
        return path;
    }

    RootFolder folder() {
        return folder;
    }

    public RootState state() {
        return state;
    }

    /** Whoever asks has seen that the root is open; if it closed since, the next look tells. */
    public DirectoryTree tree() throws IOException {
        if (state instanceof RootState.Open(RootIdentity _, DirectoryTree tree)) {
            return tree;
        }
        throw new IOException("The root " + path + " is not open");
    }

    public Optional<Found> named(AssetName name) {
        return ledger.named(name);
    }

    public Optional<Marker> ofClaim(String uid) {
        return ledger.ofClaim(uid);
    }

    public List<Marker> markers() {
        return ledger.all();
    }

    public long promised() {
        return ledger.promised();
    }

    public long promisedToOthers(String uid) {
        return ledger.promisedToOthers(uid);
    }

    /** A step that needs the tree. */
    @FunctionalInterface
    public interface TreeStep<R> {
        R on(DirectoryTree tree) throws IOException;
    }

    /** Does something about one name, while nobody else does anything about it. */
    public <R> R alone(AssetName name, TreeStep<R> step) throws IOException {
        ReentrantLock lock = locks[Math.floorMod(name.hashCode(), locks.length)];
        lock.lock();
        try {
            return step.on(tree());
        } finally {
            lock.unlock();
        }
    }

    /** Writes a new marker; false if the budget has no room for it or another marker stands in its place. */
    public boolean record(Marker marker, long budget) throws IOException {
        return alone(marker.name(), tree -> {
            if (ledger.named(marker.name()).isPresent() || !ledger.reserve(marker, budget)) {
                return false;
            }
            boolean done = false;
            try {
                done = tree.record(marker);
            } finally {
                if (!done) {
                    ledger.remove(marker.name());
                }
            }
            if (!done) {
                // Somebody else's hand, or a restored archive: from here on it is known.
                tree.marker(marker.name()).ifPresent(ledger::put);
            }
            return done;
        });
    }

    /** Looks at the disk for a marker that another hand put there; false if there is none. */
    public boolean learn(AssetName name) throws IOException {
        return alone(name, tree -> {
            Optional<Found> found = tree.marker(name);
            found.ifPresent(ledger::put);
            return found.isPresent();
        });
    }

    /** Writes a marker over the one it was made from; false if that one is not there any more. */
    public boolean replace(Marker before, Marker marker) throws IOException {
        return alone(marker.name(), tree -> {
            if (!ledger.named(marker.name()).equals(Optional.of(new Found.Known(before)))) {
                return false;
            }
            tree.replace(before, marker);
            ledger.put(marker);
            return true;
        });
    }

    /** Removes a marker, if it is still that claim's. */
    public void removeMarker(Marker marker) throws IOException {
        alone(marker.name(), tree -> {
            tree.removeMarker(marker);
            if (ledger.ofClaim(marker.claim().uid())
                    .filter(it -> it.name().equals(marker.name()))
                    .isPresent()) {
                ledger.remove(marker.name());
            }
            return true;
        });
    }

    /** A short step on this disk; see {@link Lane}. */
    public Outcome act(Object key, Runnable wake, Supplier<Outcome> step) throws InterruptedException {
        return shortSteps.act(key, wake, step);
    }

    /** A slice of something long. */
    public Outcome actLong(Object key, Runnable wake, Supplier<Outcome> step) throws InterruptedException {
        return longSteps.act(key, wake, step);
    }

    /** Wakes that key when the root's state changes; true if it is open by now. */
    public boolean await(Object key, Runnable wake) {
        synchronized (waiting) {
            if (state instanceof RootState.Open) {
                return true;
            }
            waiting.put(key, wake);
            return false;
        }
    }

    void opened(RootIdentity identity, DirectoryTree tree, List<Found> markers) {
        ledger.load(markers);
        become(new RootState.Open(identity, tree));
    }

    /** Another process may have led meanwhile: what is known is old. */
    void forget() {
        become(new RootState.Unopened());
    }

    /** The root is not what it was. Who waits is woken to tell so, and waits again. */
    void closed(String why) {
        if (!state.equals(new RootState.Closed(why))) {
            become(new RootState.Closed(why));
        }
    }

    /** Whether a failed step means that the whole root is gone. */
    static boolean isLoss(IOException e) {
        return e instanceof RootLost;
    }

    private void become(RootState next) {
        List<Runnable> woken;
        synchronized (waiting) {
            state = next;
            woken = new ArrayList<>(waiting.values());
            waiting.clear();
        }
        woken.forEach(Runnable::run);
    }

    @Override
    public void close() {
        shortSteps.close();
        longSteps.close();
    }
}
