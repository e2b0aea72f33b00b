package io.bucketwright.local.binaries;

import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds each program by itself: in the folder {@code KUBEBUILDER_ASSETS} names (the envtest convention; such folders
 * hold some of them), then in our cache, and else builds it from our Go modules.
 *
 * @param kubernetes the version of Kubernetes that programs in the cache have
 * @param assets the folder {@code KUBEBUILDER_ASSETS}; empty if it is not set
 * @param placesOfGo folders that may contain the {@code go} to build with
 */
public record Binaries(
        KubernetesVersion kubernetes, String assets, List<Path> placesOfGo, ProgramCache cache, Progress progress) {

    /** As configured by the environment of this process. */
    public static Binaries ofThisUser(Progress progress) {
        Map<String, String> environment = System.getenv();
        String path = environment.getOrDefault("PATH", "") + ":/usr/local/go/bin:/usr/lib/go/bin";
        String kubernetes = environment.getOrDefault(KubernetesVersion.VARIABLE, "");
        return new Binaries(
                kubernetes.isBlank() ? KubernetesVersion.NEWEST : KubernetesVersion.parse(kubernetes),
                environment.getOrDefault("KUBEBUILDER_ASSETS", ""),
                Stream.of(path.split(":", -1)).map(Path::of).toList(),
                ProgramCache.of(environment, Path.of(System.getProperty("user.home"))),
                progress);
    }

    public Binaries with(KubernetesVersion version) {
        return new Binaries(version, assets, placesOfGo, cache, progress);
    }

    /** Where the program is, if it need not be built. */
    public Optional<Path> find(Program program) {
        Stream<Path> places = assets.isBlank()
                ? Stream.of(cached(program))
                : Stream.of(Path.of(assets, program.fileName()), cached(program));
        return places.filter(Files::isExecutable).findFirst();
    }

    /** Finds or builds this one. */
    public Path provide(Program program) {
        return provide(List.of(program)).values().iterator().next();
    }

    /** Finds or builds all of these. */
    public Map<Program, Path> provide(Collection<Program> programs) {
        Set<GoModule> missing = missing(programs);
        if (!missing.isEmpty()) {
            build(programs, missing);
        }
        Map<Program, Path> found = new EnumMap<>(Program.class);
        for (Program program : programs) {
            found.put(
                    program,
                    find(program)
                            .orElseThrow(
                                    () -> new LocalClusterException(program.fileName() + " vanished from the cache "
                                            + cache.root() + " just after it was built. Was it cleaned? Try again.")));
        }
        return found;
    }

    private void build(Collection<Program> programs, Set<GoModule> missing) {
        String names = Program.names(programs.stream()
                .filter(program -> missing.contains(program.module(kubernetes)))
                .toList());
        String go = findGo().orElseThrow(() -> new LocalClusterException("Go 1.26 or newer is needed to build " + names
                + ": install it and put `go` on the PATH, or set KUBEBUILDER_ASSETS to a folder with these programs."));
        GoBuild build = new GoBuild(go, cache, progress);
        for (GoModule module : missing) {
            String waiting = "wait for another process that builds " + Program.names(Program.of(module));
            cache.locked(ProgramCache.buildLock(module), () -> progress.begin(waiting), () -> {
                // The process that held the lock may have built it.
                if (missing(programs).contains(module)) {
                    build.run(module);
                }
                return module;
            });
        }
    }

    private Set<GoModule> missing(Collection<Program> programs) {
        return programs.stream()
                .filter(program -> find(program).isEmpty())
                .map(program -> program.module(kubernetes))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Path cached(Program program) {
        return cache.resolve(program.module(kubernetes).id()).resolve(program.fileName());
    }

    private Optional<String> findGo() {
        return placesOfGo.stream()
                .map(folder -> folder.resolve("go"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
