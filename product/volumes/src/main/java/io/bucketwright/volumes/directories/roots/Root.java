package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootDirectory.RootUnavailableException;
import io.bucketwright.volumes.directories.files.RootIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One root and its concurrency. Callers pass an operation; the root runs it on one of its own threads, only while this
 * process leads, with the locks it needs. If an operation shows that the root's disk is missing, the root becomes
 * unavailable and is opened again. An operation that hangs holds its thread and its key until it returns; if another process
 * led meanwhile, it then ends without another change.
 */
public final class Root implements AutoCloseable {

    /** Nearly all of their time is fsync, and a file system writes several of them at once for the price of one. */
    private static final int SHORT_OPERATIONS = 8;

    private static final int LONG_OPERATIONS = 4;

    /** An operation that takes a moment hangs if it runs for longer. */
    static final Duration HANGING = Duration.ofSeconds(10);

    /** Reading the markers of a large root takes its time. */
    private static final Duration LONG_HANGING = Duration.ofMinutes(1);

    /** A file that is older was left by a process that crashed. Commands of administrators also write into a root. */
    private static final Duration TEMPORARY_FILES = Duration.ofHours(1);

    private final Path path;
    private final RootDirectory directory;
    private final Leadership leadership;
    private final MarkerIndex index = new MarkerIndex();
    private final RootDirectories.NameLocks locks = new RootDirectories.NameLocks();
    private final DiskExecutor shortOperations;
    private final DiskExecutor longOperations;
    private final Map<Object, Runnable> waiting = new LinkedHashMap<>();
    private final AtomicReference<Consumer<Path>> reopen = new AtomicReference<>(path -> {});
    /** Only the controller of roots uses it, in one operation at a time. */
    private final Map<DirectoryName, String> versions = new ConcurrentHashMap<>();

    private volatile @Nullable Space space;
    private volatile RootState state = new RootState.NotOpened();
    private volatile @Nullable RootDirectories directories;

    Root(Path path, RootDirectory directory, Leadership leadership, TimeSource time) {
        this.path = path;
        this.directory = directory;
        this.leadership = leadership;
        this.shortOperations =
                new DiskExecutor("disk-" + path.getFileName(), SHORT_OPERATIONS, HANGING, time, this::requeueWaiting);
        this.longOperations = new DiskExecutor(
                "disk-long-" + path.getFileName(), LONG_OPERATIONS, LONG_HANGING, time, this::requeueWaiting);
    }

    public Path path() {
        return path;
    }

    public RootState state() {
        return state;
    }

    /** What to tell about a disk that hangs; empty if it does not. It does not change while the disk hangs. */
    public Optional<String> hanging() {
        return shortOperations.isHanging() || longOperations.isHanging()
                ? Optional.of("The disk of root " + path + " does not answer: an operation has been running for more"
                        + " than " + HANGING.toSeconds() + " seconds. Check the disk, or the server of the network file"
                        + " system. The work continues when the operation returns")
                : Optional.empty();
    }

    /** The caller no longer waits for the root, its disk or its budget. */
    void forget(RootCaller caller) {
        synchronized (waiting) {
            waiting.remove(caller.key());
        }
        index.forget(caller);
        shortOperations.forget(caller.key());
        longOperations.forget(caller.key());
    }

    /** The number of callers that wait. */
    int waiting() {
        synchronized (waiting) {
            return waiting.size() + index.waiting() + shortOperations.size() + longOperations.size();
        }
    }

    /** One operation on an open root, or on the directory to open as a root. */
    @FunctionalInterface
    public interface Operation<D> {
        Outcome run(D directory) throws IOException;
    }

    /** Runs an operation that takes a moment. */
    public Outcome run(
            RootCaller caller, Operation<RootDirectories> operation, Function<IOException, Outcome> onFailure)
            throws InterruptedException {
        return shortOperations.run(caller, () -> runOpen(operation, onFailure));
    }

    /** Runs one slice of an operation that reads or deletes a whole tree. */
    public Outcome runLong(
            RootCaller caller, Operation<RootDirectories> operation, Function<IOException, Outcome> onFailure)
            throws InterruptedException {
        return longOperations.run(caller, () -> runOpen(operation, onFailure));
    }

    /** Requeues the caller when the root's state changes; true if the root is open already. */
    public boolean awaitOpen(RootCaller caller) {
        synchronized (waiting) {
            if (state instanceof RootState.Open) {
                return true;
            }
            waiting.put(caller.key(), caller.requeue());
            return false;
        }
    }

    /** What the markers of the root contained when they were last read, and what was written since. */
    public MarkerIndex markers() {
        return index;
    }

    private Outcome runOpen(Operation<RootDirectories> operation, Function<IOException, Outcome> onFailure) {
        long term = leadership.term();
        leadership.require();
        try {
            @Nullable RootDirectories open = directories;
            if (open == null) {
                throw new IOException("The root " + path + " is not open");
            }
            return operation.run(open);
        } catch (IOException e) {
            // A failure of an earlier term says nothing about the root as it was opened since.
            leadership.requireIn(term);
            if (e instanceof RootUnavailableException) {
                unavailable(e);
                reopen.get().accept(path);
            }
            return onFailure.apply(e);
        }
    }

    /** Runs the operation that opens the root. */
    Outcome runOpening(RootCaller caller, Operation<RootOpening> operation, Function<IOException, Outcome> onFailure)
            throws InterruptedException {
        return longOperations.run(caller, () -> {
            RootOpening opening = new RootOpening(directory, leadership, leadership.term());
            leadership.require();
            try {
                return operation.run(opening);
            } catch (IOException e) {
                opening.requireTerm();
                unavailable(e);
                return onFailure.apply(e);
            }
        });
    }

    /** Makes the root available; returns its markers. */
    List<Marker> opened(RootIdentity identity, RootOpening opening) throws IOException {
        DirectoryTree tree = opening.directory().tree(identity);
        versions.clear();
        versions.putAll(tree.markerVersions());
        index.load(tree.markers());
        opening.requireTerm();
        tree.removeTemporaryFiles(TEMPORARY_FILES);
        tree.reserveSpace();
        synchronized (waiting) {
            // A term that began meanwhile has reset the root already, and these markers may be old.
            opening.requireTerm();
            become(new RootState.Open(identity), new RootDirectories(tree, index, locks, leadership, opening.term()));
        }
        return index.all();
    }

    /** Reads what other programs changed; returns the names of those markers. */
    List<DirectoryName> refresh(RootDirectories open) throws IOException {
        space = open.space();
        return open.refresh(versions);
    }

    /** The space of the root's file system at the last refresh. */
    Optional<Space> space() {
        return Optional.ofNullable(space);
    }

    /** Reads the root's identity, also if this process does not lead; may block. */
    void probe() throws IOException {
        Optional<RootIdentity> _ = directory.identity();
    }

    /** Called when the root is unavailable and must be opened again. */
    void onUnavailable(Consumer<Path> listener) {
        reopen.set(listener);
    }

    /** Another process may have changed the root since it was opened. */
    void reset() {
        become(new RootState.NotOpened(), null);
    }

    /** Callers that wait are requeued only if the reason is new: they report it and wait again. */
    private void unavailable(IOException e) {
        RootState next = new RootState.Unavailable(String.valueOf(e.getMessage()));
        if (!state.equals(next)) {
            become(next, null);
        }
    }

    private void become(RootState next, @Nullable RootDirectories open) {
        synchronized (waiting) {
            directories = open;
            state = next;
            requeueWaiting();
        }
    }

    private void requeueWaiting() {
        List<Runnable> requeued;
        synchronized (waiting) {
            requeued = new ArrayList<>(waiting.values());
            waiting.clear();
        }
        requeued.forEach(Runnable::run);
    }

    @Override
    public void close() {
        shortOperations.close();
        longOperations.close();
    }
}
