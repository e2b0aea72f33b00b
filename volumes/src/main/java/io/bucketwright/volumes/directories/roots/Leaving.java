package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.OnDelete;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** How a directory goes whose marker says so. */
public final class Leaving {

    /** Of the two seconds a worker has, the larger part: others are waiting for the disk, too. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    private static final int BETWEEN_LOOKS = 64;

    private final Leadership leadership;

    public Leaving(Leadership leadership) {
        this.leadership = leadership;
    }

    /** One slice of it; progress once nothing is left to be done to the directory itself. */
    public Outcome goOn(Root root, Marker marker) throws IOException {
        if (marker.onDelete() == OnDelete.ARCHIVE) {
            return root.alone(marker.name(), tree -> {
                tree.archive(marker);
                return Outcome.progress();
            });
        }
        root.alone(marker.name(), tree -> {
            tree.retire(marker);
            return true;
        });
        boolean gone = root.tree().empty(marker, slice());
        return gone ? Outcome.progress() : Outcome.finish(Result.requeueAfter(Duration.ZERO));
    }

    private BooleanSupplier slice() {
        long end = System.nanoTime() + SLICE.toNanos();
        int[] calls = new int[1];
        return () -> {
            if (calls[0]++ % BETWEEN_LOOKS != 0) {
                return true;
            }
            leadership.require();
            return System.nanoTime() < end;
        };
    }
}
