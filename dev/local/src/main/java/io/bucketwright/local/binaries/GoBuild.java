package io.bucketwright.local.binaries;

import io.bucketwright.local.process.ChildProcess;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Builds one of our Go modules. Compiled packages go to a build cache of ours, so that an interrupted build resumes
 * where it was; the finished folder appears under its final name in one step, so that it is never half there.
 */
record GoBuild(String go, ProgramCache cache, Progress progress) {

    private static final long NEEDED_BYTES = 4L << 30;

    /** Where compiled packages wait for the next build of the module; worth gigabytes, and nothing once it is built. */
    private Path buildCache(GoModule module) {
        return cache.resolve("go-build-" + module.folder());
    }

    /** Builds the module into its place in the cache. The caller holds its lock. */
    void run(GoModule module) throws IOException {
        requireDisk();
        Path work = cache.resolve("work-" + module.id());
        Path source = work.resolve("source");
        Path result = work.resolve("result");
        ProgramCache.remove(work);
        module.extractTo(source);
        Files.createDirectories(result);
        ChildProcess command = new ChildProcess(source, environment(module));
        fetch(module, command);
        compile(module, command, result.resolve(module.folder()));
        for (Program program : Program.of(module)) {
            if (!program.fileName().equals(module.folder())) {
                Files.createSymbolicLink(result.resolve(program.fileName()), Path.of(module.folder()));
            }
        }
        Files.move(result, cache.resolve(module.id()), StandardCopyOption.ATOMIC_MOVE);
        ProgramCache.remove(work);
        ProgramCache.remove(buildCache(module));
    }

    private void fetch(GoModule module, ChildProcess command) {
        String step = "fetch the Go modules of " + module.folder();
        progress.begin(step);
        // -x writes a line for each thing it gets; there is no other sign of progress.
        AtomicInteger requests = new AtomicInteger();
        run(command, step, List.of(go, "mod", "download", "-x"), line -> {
            if (line.startsWith("# get ") && line.contains(".zip: 200")) {
                progress.advance(step, requests.incrementAndGet(), 0);
            }
        });
        progress.end(step);
    }

    private void compile(GoModule module, ChildProcess command, Path output) {
        String step = "compile " + module.folder() + " (" + Program.names(Program.of(module)) + ")";
        progress.begin(step);
        AtomicInteger stale = new AtomicInteger();
        run(
                command,
                step,
                List.of(go, "list", "-trimpath", "-deps", "-f", "{{if .Stale}}stale{{end}}", module.target()),
                line -> {
                    if (line.equals("stale")) {
                        stale.incrementAndGet();
                    }
                });
        AtomicInteger built = new AtomicInteger();
        List<String> build = List.of(
                go,
                "build",
                "-v",
                "-trimpath",
                "-ldflags=" + module.ldflags(),
                "-o",
                output.toString(),
                module.target());
        run(command, step, build, _ -> progress.advance(step, built.incrementAndGet(), stale.get()));
        progress.end(step);
    }

    private static void run(ChildProcess command, String step, List<String> arguments, Consumer<String> lines) {
        command.require(
                arguments,
                lines,
                code -> "Could not " + step + ": `go " + arguments.get(1) + "` ended with " + code
                        + ". What was compiled so far is kept; the next try resumes.");
    }

    private void requireDisk() throws IOException {
        long free = Files.getFileStore(cache.root()).getUsableSpace();
        if (free < NEEDED_BYTES) {
            throw new LocalClusterException("Building needs 4 GB free in " + cache.root() + ", where " + (free >> 20)
                    + " MB are free. Make room, or set XDG_CACHE_HOME to another disk.");
        }
    }

    private Map<String, String> environment(GoModule module) {
        return Map.of(
                "CGO_ENABLED", "0",
                "GOCACHE", buildCache(module).toString(),
                "GOWORK", "off",
                "GOFLAGS", "-buildvcs=false" + (module.tags().isEmpty() ? "" : " -tags=" + module.tags()),
                "GOOS", "",
                "GOARCH", "");
    }
}
