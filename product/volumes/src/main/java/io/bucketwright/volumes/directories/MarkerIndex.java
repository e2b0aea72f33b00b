package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import java.math.BigInteger;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The markers of one root by name and by claim, and the sum of the sizes their claims requested. */
final class MarkerIndex {

    private final Map<DirectoryName, MarkerFile> byName = new HashMap<>();
    private final Map<String, DirectoryName> byClaim = new HashMap<>();
    private final Set<Runnable> waitingForRoom = new LinkedHashSet<>();

    /** The sum of a few claims can be larger than a long. */
    private BigInteger requestedBytes = BigInteger.ZERO;

    synchronized void load(Collection<MarkerFile> all) {
        byName.clear();
        byClaim.clear();
        requestedBytes = BigInteger.ZERO;
        all.forEach(this::add);
        requeueWaiting();
    }

    synchronized Set<DirectoryName> names() {
        return Set.copyOf(byName.keySet());
    }

    synchronized Optional<MarkerFile> byName(DirectoryName name) {
        return Optional.ofNullable(byName.get(name));
    }

    synchronized Optional<Marker> byClaim(String uid) {
        return Optional.ofNullable(byClaim.get(uid)).flatMap(this::valid);
    }

    /** The marker of the directory of this volume; its name is null if there is none. */
    Optional<Marker> byVolume(@Nullable String name) {
        return name == null || !DirectoryName.isValid(name) ? Optional.empty() : valid(new DirectoryName(name));
    }

    synchronized List<Marker> all() {
        return byName.values().stream().flatMap(file -> file.valid().stream()).toList();
    }

    /** The sum of the sizes that all claims with a directory in this root requested. */
    synchronized double requestedBytes() {
        return requestedBytes.doubleValue();
    }

    /** Requested by other claims than this one; at most {@code Long.MAX_VALUE}. */
    synchronized long requestedByOthers(String claimUid) {
        return requestedExcept(claimUid).min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }

    /** Adds a marker if its size fits the budget. Check and addition are atomic, so concurrent claims cannot exceed it. */
    synchronized boolean reserve(Marker marker, long budget) {
        if (!hasRoom(marker, budget)) {
            return false;
        }
        put(new MarkerFile.Valid(marker));
        return true;
    }

    /** Requeues the caller when a marker is removed or becomes smaller; true if the budget has room already. */
    synchronized boolean awaitRoom(Runnable requeue, Marker marker, long budget) {
        if (hasRoom(marker, budget)) {
            return true;
        }
        waitingForRoom.add(requeue);
        return false;
    }

    /** The caller no longer waits for room. */
    synchronized void forget(Runnable requeue) {
        waitingForRoom.remove(requeue);
    }

    /** The number of callers that wait for room. */
    synchronized int waiting() {
        return waitingForRoom.size();
    }

    synchronized void put(MarkerFile file) {
        BigInteger before = requestedBytes;
        drop(file.name());
        add(file);
        if (requestedBytes.compareTo(before) < 0) {
            requeueWaiting();
        }
    }

    synchronized void remove(DirectoryName name) {
        drop(name);
        requeueWaiting();
    }

    private boolean hasRoom(Marker marker, long budget) {
        // The size of a directory that is reused is counted once, for the new claim.
        BigInteger others = requestedExcept(marker.claim().uid())
                .subtract(BigInteger.valueOf(valid(marker.name())
                        .filter(reused ->
                                !reused.claim().uid().equals(marker.claim().uid()))
                        .map(Marker::bytes)
                        .orElse(0L)));
        return budget == DirectoryClass.UNLIMITED
                || others.add(BigInteger.valueOf(marker.bytes())).compareTo(BigInteger.valueOf(budget)) <= 0;
    }

    private BigInteger requestedExcept(String claimUid) {
        return requestedBytes.subtract(
                BigInteger.valueOf(byClaim(claimUid).map(Marker::bytes).orElse(0L)));
    }

    private void add(MarkerFile file) {
        byName.put(file.name(), file);
        if (file instanceof MarkerFile.Valid(Marker marker)) {
            byClaim.put(marker.claim().uid(), marker.name());
            requestedBytes = requestedBytes.add(BigInteger.valueOf(marker.bytes()));
        }
    }

    private void drop(DirectoryName name) {
        valid(name).ifPresent(old -> {
            byClaim.remove(old.claim().uid(), name);
            requestedBytes = requestedBytes.subtract(BigInteger.valueOf(old.bytes()));
        });
        byName.remove(name);
    }

    private void requeueWaiting() {
        List<Runnable> requeued = List.copyOf(waitingForRoom);
        waitingForRoom.clear();
        requeued.forEach(Runnable::run);
    }

    private Optional<Marker> valid(DirectoryName name) {
        return byName(name).flatMap(MarkerFile::valid);
    }
}
