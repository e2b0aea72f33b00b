package io.bucketwright.volumes.directories.roots;

import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The markers of one root by name and by claim, and the sum of the sizes their claims requested. */
public final class MarkerIndex {

    private final Map<DirectoryName, MarkerFile> byName = new HashMap<>();
    private final Map<String, DirectoryName> byClaim = new HashMap<>();
    private long requestedBytes;

    synchronized void load(Collection<MarkerFile> all) {
        byName.clear();
        byClaim.clear();
        requestedBytes = 0;
        all.forEach(this::put);
    }

    public synchronized Optional<MarkerFile> byName(DirectoryName name) {
        return Optional.ofNullable(byName.get(name));
    }

    public synchronized Optional<Marker> byClaim(String uid) {
        return Optional.ofNullable(byClaim.get(uid)).flatMap(this::valid);
    }

    synchronized List<Marker> all() {
        return byName.values().stream().flatMap(file -> file.valid().stream()).toList();
    }

    /** The sum of the sizes that all claims with a directory in this root requested. */
    public synchronized long requestedBytes() {
        return requestedBytes;
    }

    /** Requested by other claims than this one. */
    public synchronized long requestedByOthers(String claimUid) {
        return requestedBytes - byClaim(claimUid).map(Marker::bytes).orElse(0L);
    }

    /** Adds a marker if its size fits the budget. Check and addition are atomic, so concurrent claims cannot exceed it. */
    synchronized boolean reserve(Marker marker, long budget) {
        if (requestedByOthers(marker.claim().uid()) > budget - marker.bytes()) {
            return false;
        }
        put(new MarkerFile.Valid(marker));
        return true;
    }

    synchronized void put(MarkerFile file) {
        remove(file.name());
        byName.put(file.name(), file);
        if (file instanceof MarkerFile.Valid(Marker marker)) {
            byClaim.put(marker.claim().uid(), marker.name());
            requestedBytes += marker.bytes();
        }
    }

    synchronized void remove(DirectoryName name) {
        valid(name).ifPresent(old -> {
            byClaim.remove(old.claim().uid(), name);
            requestedBytes -= old.bytes();
        });
        byName.remove(name);
    }

    private Optional<Marker> valid(DirectoryName name) {
        return byName(name).flatMap(MarkerFile::valid);
    }
}
