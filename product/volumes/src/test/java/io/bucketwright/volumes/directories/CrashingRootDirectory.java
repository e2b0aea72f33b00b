package io.bucketwright.volumes.directories;

import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.volumes.directories.files.RootDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A root on which the N-th write fails, before or after it takes effect, as do all later writes. A write of a kind that was
 * already made is not counted: the controllers of claims and of volumes may both finish a removal, and the second one finds
 * nothing left to do.
 */
final class CrashingRootDirectory {

    /** Everything but these changes directories or markers. The file systems of build machines have no project quotas. */
    private static final Set<String> READS = Set.of(
            "identity",
            "isMountPoint",
            "requireMountPoint",
            "markers",
            "removeTemporaryFiles",
            "reserveSpace",
            "markerVersions",
            "marker",
            "entryType",
            "measure",
            "space",
            "enforcesQuota",
            "setQuota");

    private final int fatal;
    private final Moment moment;
    private final AtomicInteger writes = new AtomicInteger();
    private final Set<String> made = ConcurrentHashMap.newKeySet();
    private final RootDirectory directory;

    CrashingRootDirectory(Path path, int fatal, Moment moment) {
        this.fatal = fatal;
        this.moment = moment;
        this.directory = new InterceptedRootDirectory(path, this::intercept);
    }

    RootDirectory directory() {
        return directory;
    }

    boolean crashed() {
        return writes.get() >= fatal;
    }

    private Object intercept(String method, RootDirectory.Access<?> call) throws IOException {
        if (READS.contains(method)) {
            return call.get();
        }
        boolean first = made.add(method);
        int number = first ? writes.incrementAndGet() : writes.get();
        boolean crashed = number > fatal || (number == fatal && !first);
        if (crashed || (number == fatal && moment == Moment.BEFORE_EFFECT)) {
            throw new IOException("this process crashed");
        }
        Object result = call.get();
        if (number == fatal) {
            throw new IOException("this process crashed");
        }
        return result;
    }
}
