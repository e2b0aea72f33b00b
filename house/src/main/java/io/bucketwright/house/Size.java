package io.bucketwright.house;

import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * How many lines there are of what.
 *
 * @param product the main files of the product, without tools
 * @param former those of the product that serve the COSI design of 2020
 * @param tools tools and test support in modules of the product
 * @param tests all files below src/test
 */
record Size(long product, long former, long tools, long tests, long allowedProduct, long allowedTests) {

    static final String FILE = "house/size.properties";

    static Size of(Sources sources) {
        Properties properties = sources.properties(FILE);
        List<String> modules = sources.modules("product/").toList();
        List<String> tools = words(properties, "product.tools");
        List<String> former = words(properties, "product.cosi-2020");
        List<SourceFile> main =
                sources.main().filter(file -> modules.contains(file.module())).toList();
        List<SourceFile> product =
                main.stream().filter(file -> !isIn(file, tools)).toList();
        return new Size(
                lines(product.stream()),
                lines(product.stream().filter(file -> file.module().equals("cosi-2020") || isExactly(file, former))),
                lines(main.stream().filter(file -> isIn(file, tools))),
                lines(sources.tests()),
                Long.parseLong(value(properties, "product.main.lines")),
                Long.parseLong(value(properties, "test.lines")));
    }

    /** The words of a value of that file. */
    static List<String> words(Properties properties, String key) {
        return List.of(value(properties, key).split("\\s+"));
    }

    private static String value(Properties properties, String key) {
        return Objects.requireNonNull(properties.getProperty(key), key + " in " + FILE)
                .strip();
    }

    private static boolean isIn(SourceFile file, List<String> trees) {
        return trees.stream().anyMatch(tree -> file.isIn("io.bucketwright." + tree));
    }

    private static boolean isExactly(SourceFile file, List<String> packages) {
        return packages.stream().anyMatch(name -> file.packageName().equals("io.bucketwright." + name));
    }

    private static long lines(Stream<SourceFile> files) {
        return files.mapToLong(SourceFile::lines).sum();
    }
}
