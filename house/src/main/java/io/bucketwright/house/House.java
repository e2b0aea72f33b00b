package io.bucketwright.house;

import java.io.File;
import java.util.Locale;
import java.util.Objects;

/** Prints how large the product is, and the goals for it: {@code house/house}. */
final class House {

    private House() {}

    public static void main(String[] args) {
        System.out.print(table(Sources.read()));
    }

    static String table(Sources sources) {
        Size size = Size.of(sources);
        return row("", "today", "goal")
                + row("---", "---:", "---:")
                + row("product main lines without cosi-2020", count(size.product() - size.former()), "64,000")
                + row("product main lines", count(size.product()), "72,000")
                + row("tools and test support in main of product modules", count(size.tools()), "0")
                + row("test lines", count(size.tests()), "74,000")
                + walk(sources, "claim to Bound", "35 classes, 6,000 lines")
                + walk(sources, "released BucketAccess", "35 classes, 5,000 lines")
                + walk(sources, "PVC to directory", "28 classes, 4,200 lines")
                + row("decisions", count(decisions(sources)), "24");
    }

    private static String walk(Sources sources, String name, String goal) {
        Walk walk = Walk.of(sources, Objects.requireNonNull(Walk.FILES.get(name)));
        String missing = walk.missing().isEmpty() ? "" : ", without " + walk.missing();
        return row(name, walk.classes().size() + " classes, " + count(walk.lines()) + " lines" + missing, goal);
    }

    private static int decisions(Sources sources) {
        File folder = sources.root().resolve("docs/decisions").toFile();
        return Objects.requireNonNull(folder.list((ignored, name) -> name.matches("\\d{4}-.+\\.md"))).length;
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String row(String name, String today, String goal) {
        return "| %-49s | %24s | %23s |%n".formatted(name, today, goal);
    }
}
