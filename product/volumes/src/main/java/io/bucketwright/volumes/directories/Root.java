package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootDirectory.RootUnavailableException;
import io.bucketwright.volumes.directories.files.RootIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One root and its concurrency. Callers pass an operation; the root runs it on one of its own threads, only while this
 * process leads, with the locks it needs. If an operation shows that the root's disk is missing, the root becomes
 * unavailable and is opened again. An operation that hangs holds its thread and its key until it returns; if another process
 * led meanwhile, it then ends without another change.
 */
final class Root implements AutoCloseable {

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
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private final AtomicReference<Consumer<Path>> reopen = new AtomicReference<>(path -> {});
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

    Path path() {
        return path;
    }

    RootState state() {
        return state;
    }

    RootObservation observation() {
        return new RootObservation(state, hanging());
    }

    /** What to tell about a disk that hangs; empty if it does not. It does not change while the disk hangs. */
    Optional<String> hanging() {
        return shortOperations.isHanging() || longOperations.isHanging()
                ? Optional.of("The disk of root " + path + " does not answer: an operation has been running for more"
                        + " than " + HANGING.toSeconds() + " seconds. Check the disk, or the server of the network file"
                        + " system. The work continues when the operation returns")
                : Optional.empty();
    }

    /** The caller no longer waits for the root, its disk or its budget. */
    void forget(Runnable requeue) {
        synchronized (waiting) {
            waiting.remove(requeue);
        }
        index.forget(requeue);
        shortOperations.forget(requeue);
        longOperations.forget(requeue);
    }

    /** The number of callers that wait. */
    int waiting() {
        synchronized (waiting) {
            return waiting.size() + index.waiting() + shortOperations.size() + longOperations.size();
        }
    }

    /** One operation on an open root. */
    @FunctionalInterface
    interface Operation {
        Outcome run(RootDirectories directories) throws IOException;
    }

    /** The identity of a directory if it was a root before; throws if it must not be opened. */
    @FunctionalInterface
    interface Check {
        Optional<RootIdentity> identity(RootDirectory directory) throws IOException;
    }

    /**
     * Runs an operation that takes a moment.
     *
     * @param requeue adds the key of the caller to its queue; two of the same key are equal, and only one operation of them
     *     runs at a time
     */
    Outcome run(Runnable requeue, Operation operation, Function<IOException, Outcome> onFailure)
            throws InterruptedException {
        return shortOperations.run(requeue, () -> runOpen(operation, onFailure));
    }

    /** Runs one slice of an operation that reads or deletes a whole tree. */
    Outcome runLong(Runnable requeue, Operation operation, Function<IOException, Outcome> onFailure)
            throws InterruptedException {
        return longOperations.run(requeue, () -> runOpen(operation, onFailure));
    }

    /** Requeues the caller when the root's state changes; true if the root is open already. */
    boolean awaitOpen(Runnable requeue) {
        synchronized (waiting) {
            if (state instanceof RootState.Open) {
                return true;
            }
            waiting.add(requeue);
            return false;
        }
    }

    /** What the markers of the root contained when they were last read, and what was written since. */
    MarkerIndex markers() {
        return index;
    }

    private Outcome runOpen(Operation operation, Function<IOException, Outcome> onFailure) {
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

    /**
     * Makes the root available, unless another process led meanwhile: reading a disk may take longer than a term.
     *
     * @param clusterId of the identity that a new root gets
     * @param opened called then; must not block
     */
    Outcome open(
            Runnable requeue,
            Check check,
            Supplier<String> clusterId,
            Consumer<RootIdentity> opened,
            Function<IOException, Outcome> onFailure)
            throws InterruptedException {
        return longOperations.run(requeue, () -> {
            long term = leadership.term();
            leadership.require();
            try {
                Optional<RootIdentity> existing = check.identity(directory);
                RootIdentity identity = existing.isPresent() ? existing.get() : initialize(clusterId.get(), term);
                open(identity, term);
                opened.accept(identity);
                return Outcome.progress();
            } catch (IOException e) {
                leadership.requireIn(term);
                unavailable(e);
                return onFailure.apply(e);
            }
        });
    }

    /** Another process that led meanwhile may have done the same. */
    private RootIdentity initialize(String clusterId, long term) throws IOException {
        leadership.requireIn(term);
        directory.initialize(new RootIdentity(UUID.randomUUID().toString(), clusterId));
        return directory.identity().orElseThrow(() -> new IOException("The root's new identity file cannot be read"));
    }

    private void open(RootIdentity identity, long term) throws IOException {
        RootDirectories opened = new RootDirectories(directory, identity, index, locks, leadership, term);
        space = opened.space();
        opened.readMarkers();
        leadership.requireIn(term);
        opened.removeTemporaryFiles(TEMPORARY_FILES);
        opened.reserveSpace();
        synchronized (waiting) {
            // A term that began meanwhile has reset the root already, and these markers may be old.
            leadership.requireIn(term);
            become(new RootState.Open(identity), opened);
        }
    }

    /** Reads what other programs changed; returns the names of those markers. */
    List<DirectoryName> refresh(RootDirectories open) throws IOException {
        space = open.space();
        return open.refresh();
    }

    /** The space of the root's file system when it was opened or last refreshed. */
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
            requeued = new ArrayList<>(waiting);
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
