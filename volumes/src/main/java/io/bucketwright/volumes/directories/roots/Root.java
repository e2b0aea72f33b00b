package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.files.RootUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
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
 * unavailable and is opened again.
 */
public final class Root implements AutoCloseable {

    private static final int SHORT_OPERATIONS = 4;
    private static final int LONG_OPERATIONS = 2;

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

    Root(Path path, RootDirectory directory, Leadership leadership) {
        this.path = path;
        this.directory = directory;
        this.leadership = leadership;
        this.shortOperations = new DiskExecutor("disk-" + path.getFileName(), SHORT_OPERATIONS);
        this.longOperations = new DiskExecutor("disk-long-" + path.getFileName(), LONG_OPERATIONS);
    }

    public Path path() {
        return path;
    }

    public RootState state() {
        return state;
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
        leadership.require();
        try {
            @Nullable RootDirectories open = directories;
            if (open == null) {
                throw new IOException("The root " + path + " is not open");
            }
            return operation.run(open);
        } catch (IOException e) {
            if (e instanceof RootUnavailableException) {
                unavailable(e);
                reopen.get().accept(path);
            }
            return onFailure.apply(e);
        }
    }

    /** Runs the operation that opens the root. */
    Outcome runOpening(RootCaller caller, Operation<RootDirectory> opening, Function<IOException, Outcome> onFailure)
            throws InterruptedException {
        return longOperations.run(caller, () -> {
            leadership.require();
            try {
                return opening.run(directory);
            } catch (IOException e) {
                unavailable(e);
                return onFailure.apply(e);
            }
        });
    }

    /** Makes the root available; returns its markers. */
    List<Marker> opened(RootIdentity identity, DirectoryTree tree) throws IOException {
        long term = leadership.term();
        versions.clear();
        versions.putAll(tree.markerVersions());
        index.load(tree.markers());
        synchronized (waiting) {
            // A term that began meanwhile has reset the root already, and these markers may be old.
            leadership.requireIn(term);
            become(new RootState.Open(identity), new RootDirectories(tree, index, locks, leadership, term));
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
        List<Runnable> requeued;
        synchronized (waiting) {
            directories = open;
            state = next;
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
