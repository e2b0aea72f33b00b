package io.bucketwright.local;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.PackageSet;
import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.report.Progress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Builds and fetches, before the first test that needs them, all programs that the tests of all modules need. */
public final class PreparePrograms {

    private PreparePrograms() {}

    public static void main(String[] arguments) {
        Progress progress = new Lines();
        Binaries binaries = Binaries.ofThisUser(progress);
        binaries.provide(List.of(Program.values()));
        Packages packages = new Packages(binaries.cache(), progress);
        boolean root = System.getProperty("user.name").equals("root");
        Arrays.stream(PackageSet.values())
                .filter(set -> set != PackageSet.NODE || root)
                .forEach(packages::provide);
    }

    private static final class Lines implements Progress {
        private long printed = System.nanoTime();

        @Override
        public void begin(String step) {
            System.out.println("[programs] " + step);
        }

        @Override
        public void advance(String step, int done, int total) {
            if (System.nanoTime() - printed > Duration.ofSeconds(10).toNanos()) {
                printed = System.nanoTime();
                System.out.println("[programs] " + step + ": " + done + (total > 0 ? " of " + total : ""));
            }
        }

        @Override
        public void end(String step) {
            System.out.println("[programs] done: " + step);
        }
    }
}
