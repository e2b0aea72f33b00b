package io.bucketwright.local.binaries;

import io.bucketwright.local.process.ChildProcess;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Packages of Debian, npm and PyPI, unpacked into our cache; nothing is ever installed. */
public record Packages(ProgramCache cache, Progress progress) {

    /** The folder with these packages, fetched first if need be. */
    public Path provide(PackageSet packages) {
        Path folder = cache.resolve(packages.id());
        if (!Files.isDirectory(folder)) {
            String step = "fetch " + packages.description();
            cache.locked(
                    ProgramCache.DOWNLOAD_LOCK,
                    () -> progress.begin("wait for another process that fetches packages"),
                    () -> {
                        if (!Files.isDirectory(folder)) {
                            fetch(step, packages, folder);
                        }
                        return folder;
                    });
        }
        return folder;
    }

    private void fetch(String step, PackageSet packages, Path folder) throws IOException {
        progress.begin(step);
        Path fresh = cache.resolve("work-" + packages.id());
        ProgramCache.remove(fresh);
        Files.createDirectories(fresh);
        AtomicInteger lines = new AtomicInteger();
        try {
            new ChildProcess(fresh, Map.of("LC_ALL", "C"))
                    .require(
                            List.of(
                                    "sh",
                                    "-c",
                                    packages.script(),
                                    "packages.sh",
                                    fresh.toString(),
                                    packages.architecture()),
                            _ -> progress.advance(step, lines.incrementAndGet(), 0),
                            _ -> "Could not " + step + "; this needs " + packages.requirements() + ".");
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            ProgramCache.remove(fresh);
        }
        progress.end(step);
    }
}
