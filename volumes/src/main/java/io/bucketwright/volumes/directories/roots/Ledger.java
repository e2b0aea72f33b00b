package io.bucketwright.volumes.directories.roots;

import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.files.Marker;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The markers of one root, and how much they promise. */
final class Ledger {

    private final Map<AssetName, Found> byName = new HashMap<>();
    private final Map<String, AssetName> byClaim = new HashMap<>();
    private long promised;

    synchronized void load(Collection<Found> all) {
        byName.clear();
        byClaim.clear();
        promised = 0;
        all.forEach(this::put);
    }

    synchronized Optional<Found> named(AssetName name) {
        return Optional.ofNullable(byName.get(name));
    }

    synchronized Optional<Marker> ofClaim(String uid) {
        return Optional.ofNullable(byClaim.get(uid)).flatMap(this::known);
    }

    synchronized List<Marker> all() {
        return byName.keySet().stream().flatMap(name -> known(name).stream()).toList();
    }

    synchronized long promised() {
        return promised;
    }

    /** Promised to others than that claim. */
    synchronized long promisedToOthers(String uid) {
        return promised - ofClaim(uid).map(Marker::bytes).orElse(0L);
    }

    /** Enters a marker if its promise fits; two that fit alone but not together do not both enter. */
    synchronized boolean reserve(Marker marker, long budget) {
        if (promisedToOthers(marker.claim().uid()) > budget - marker.bytes()) {
            return false;
        }
        put(marker);
        return true;
    }

    synchronized void put(Marker marker) {
        put(new Found.Known(marker));
    }

    synchronized void put(Found found) {
        AssetName name = switch (found) {
            case Found.Known(Marker marker) -> marker.name();
            case Found.Unknown(AssetName unknown, String _) -> unknown;
        };
        remove(name);
        byName.put(name, found);
        if (found instanceof Found.Known(Marker marker)) {
            byClaim.put(marker.claim().uid(), name);
            promised += marker.bytes();
        }
    }

    synchronized void remove(AssetName name) {
        known(name).ifPresent(old -> {
            byClaim.remove(old.claim().uid(), name);
            promised -= old.bytes();
        });
        byName.remove(name);
    }

    private Optional<Marker> known(AssetName name) {
        return byName.get(name) instanceof Found.Known(Marker marker) ? Optional.of(marker) : Optional.empty();
    }
}
