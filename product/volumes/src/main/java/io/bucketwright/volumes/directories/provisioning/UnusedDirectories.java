package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.roots.MarkerLocation;
import io.bucketwright.volumes.directories.roots.RequeueTarget;
import io.bucketwright.volumes.directories.roots.RootCaller;
import io.bucketwright.volumes.directories.roots.RootDirectories;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes directories that have neither claim nor volume. */
record UnusedDirectories(
        ObjectReader reader,
        Roots roots,
        InFlightState<ObjectKey, DirectoryClaimState> states,
        RequeueTarget<ObjectKey> requeue) {

    private static final Logger log = LoggerFactory.getLogger(UnusedDirectories.class);

    /** The read before content is destroyed. Claims that are provisioned and deleted as usual need none. */
    Outcome confirm(DirectoryClaimStep.ConfirmUnused step) {
        String name = step.marker().name().text();
        if (reader.read(PersistentVolume.class, "", name).isPresent()) {
            return Outcome.finish(Result.retry(
                    "Volume " + name + " exists, but the cache does not show it yet; its directory is left unchanged"));
        }
        states.update(step.key(), state -> state.withUsage(step.marker(), true));
        return Outcome.progress();
    }

    Outcome remove(MarkerLocation location, Result ifNotEmpty) throws InterruptedException {
        return roots.at(location.root())
                .run(
                        caller(location),
                        directories -> remove(location, ifNotEmpty, directories),
                        e -> failed(location, e));
    }

    Outcome completeDeletion(MarkerLocation location, boolean confirmed) throws InterruptedException {
        return roots.at(location.root())
                .runLong(
                        caller(location),
                        directories -> completeDeletion(location, confirmed, directories),
                        e -> failed(location, e));
    }

    private Outcome remove(MarkerLocation location, Result ifNotEmpty, RootDirectories directories) throws IOException {
        Marker marker = location.marker();
        if (directories.entryType(marker.name()) == EntryType.OTHER || !directories.removeIfEmpty(marker)) {
            if (ifNotEmpty instanceof Result.Done) {
                log.warn(
                        "Directory {} in root {} has neither claim nor volume but is not empty, so it is kept. It was"
                                + " created for claim {}. See bucketwright directory list, keep and remove",
                        marker.name(),
                        location.root(),
                        marker.claim());
            } else {
                states.update(DirectoryCaches.key(marker.claim()), DirectoryClaimState::restarted);
            }
            return Outcome.finish(ifNotEmpty);
        }
        directories.removeMarker(marker);
        log.info(
                "Removed directory {} of claim {} in root {}: it was empty and had no volume",
                marker.name(),
                marker.claim(),
                location.root());
        return Outcome.progress();
    }

    private Outcome completeDeletion(MarkerLocation location, boolean confirmed, RootDirectories directories)
            throws IOException {
        Marker marker = location.marker();
        if (!confirmed && directories.entryType(marker.name()) != EntryType.MISSING) {
            states.update(DirectoryCaches.key(marker.claim()), state -> state.withUsage(marker, false));
            return Outcome.progress();
        }
        if (!directories.remove(marker)) {
            return Outcome.finish(Result.requeueAfter(Duration.ZERO));
        }
        log.info(
                "Completed the removal of directory {} of claim {} in root {}{}",
                marker.name(),
                marker.claim(),
                location.root(),
                marker.archive().isEmpty() ? "" : "; its archive is " + marker.archive());
        directories.removeMarker(marker);
        return Outcome.progress();
    }

    private static Outcome failed(MarkerLocation location, IOException e) {
        return Outcome.finish(
                Result.retry("Directory " + location.marker().name() + " could not be removed. " + e.getMessage()));
    }

    private RootCaller caller(MarkerLocation location) {
        return requeue.caller(DirectoryCaches.key(location.marker().claim()));
    }
}
