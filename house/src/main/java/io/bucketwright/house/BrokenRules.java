package io.bucketwright.house;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.bucketwright.house.Mutations.Guard;
import io.bucketwright.house.Mutations.Mutation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Breaks each rule of testing.md and runs its test, which must fail: {@code house/broken-rules}. Needs compiled modules.
 */
final class BrokenRules {

    private final Sources sources;
    private final RuleTests tests;
    private final List<String> problems = new ArrayList<>();

    private BrokenRules(Sources sources) throws IOException {
        this.sources = sources;
        this.tests = new RuleTests(sources);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> words = List.of(args);
        boolean cluster = words.contains("--cluster");
        Predicate<String> wanted = words.stream()
                .filter(word -> !word.startsWith("--"))
                .map(word -> Pattern.compile(word).asPredicate())
                .reduce(Predicate::or)
                .orElse(_ -> true);
        System.exit(new BrokenRules(Sources.read()).run(cluster, wanted));
    }

    private int run(boolean cluster, Predicate<String> wanted) throws IOException, InterruptedException {
        Map<String, Mutation> known = Mutations.read(sources.root());
        List<Mutation> chosen = new ArrayList<>();
        for (Guard guard : Mutations.guards(sources.root())) {
            Mutation mutation = known.get(guard.key());
            if (!wanted.test(guard.test())) {
                continue;
            }
            if (mutation == null) {
                problems.add(guard.test() + ": not yet in " + Mutations.FILE);
            } else if (isCurrent(mutation) && mutation.needsCluster() == cluster) {
                chosen.add(mutation);
            }
        }
        Set<String> red = unbroken(chosen);
        int done = 0;
        for (Mutation mutation : chosen) {
            done++;
            if (!red.contains(mutation.guard().key())) {
                broken(mutation, done + "/" + chosen.size());
            }
        }
        problems.forEach(problem -> System.out.println("PROBLEM " + problem));
        System.out.printf(
                "%d rules broken%s, %d problems%n",
                chosen.size(), cluster ? " with a cluster" : "; those with a cluster: --cluster", problems.size());
        return problems.isEmpty() ? 0 : 1;
    }

    /** Whether the texts are still there that the mutation replaces. */
    private boolean isCurrent(Mutation mutation) {
        try {
            Map<String, String> _ = mutation.broken(sources.root());
            return true;
        } catch (IllegalStateException e) {
            problem(mutation, String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** Runs the tests of each module as the build does. Returns those that do not pass. */
    private Set<String> unbroken(List<Mutation> chosen) throws IOException, InterruptedException {
        Map<Path, List<Mutation>> modules =
                chosen.stream().collect(groupingBy(tests::moduleOf, LinkedHashMap::new, toList()));
        Set<String> red = new HashSet<>();
        for (Map.Entry<Path, List<Mutation>> module : modules.entrySet()) {
            RuleTests.Report report = tests.run(module.getKey(), module.getValue(), Map.of());
            for (Mutation mutation : module.getValue()) {
                try {
                    RuleTests.Outcome outcome = report.of(mutation);
                    if (outcome.passed()) {
                        continue;
                    }
                    problem(mutation, "does not pass although nothing is broken: " + outcome);
                } catch (IllegalStateException e) {
                    problem(mutation, String.valueOf(e.getMessage()));
                }
                red.add(mutation.guard().key());
            }
            System.out.printf(
                    "unbroken: %d tests of %s%n",
                    module.getValue().size(), sources.root().relativize(module.getKey()));
        }
        return red;
    }

    private void broken(Mutation mutation, String progress) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String result;
        try {
            RuleTests.Outcome outcome = tests.run(
                            tests.moduleOf(mutation), List.of(mutation), mutation.broken(sources.root()))
                    .of(mutation);
            result = outcome.toString();
            if (!outcome.failed()) {
                problem(mutation, "does not fail although the rule is broken: " + outcome);
            }
        } catch (IllegalStateException e) {
            result = "not run";
            problem(mutation, String.valueOf(e.getMessage()));
        }
        System.out.printf(
                Locale.ROOT,
                "%s %s: %s (%.1f s)%n",
                progress,
                mutation.guard().test(),
                result,
                (System.nanoTime() - start) / 1e9);
    }

    private void problem(Mutation mutation, String what) {
        problems.add("%s (%s): %s"
                .formatted(mutation.guard().test(), mutation.guard().rule(), what));
    }
}
