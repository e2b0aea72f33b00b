package io.bucketwright.devtools.image;

import io.bucketwright.local.process.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Creates the AOT cache of an image with the launcher, the runtime, the jars and the flags of the image.
 *
 * <p>Two training runs give two different files: see docs/image.md. So a cache is kept beside the images, named after the
 * layers that it was trained with, and used again for the same layers.
 *
 * @param training jars that only the training run needs
 * @param kept where caches are kept
 */
record AotTraining(Path training, Path kept) {

    private static final String CACHE = "bucketwright.aot";
    private static final String MARKER = CACHE + ".release";

    /** Creates the cache in the command at that home, or takes the one that was trained with the same layers. */
    void run(Path home, List<Layer> layers) throws IOException {
        Path lib = home.resolve("lib");
        Path earlier = kept.resolve("aot-" + key(layers));
        if (!Files.exists(earlier.resolve(MARKER))) {
            train(home);
            FileTree.delete(earlier);
            Files.createDirectories(earlier);
            for (String file : List.of(CACHE, MARKER)) {
                Files.move(lib.resolve(file), earlier.resolve(file));
            }
        }
        for (String file : List.of(CACHE, MARKER)) {
            Files.copy(earlier.resolve(file), lib.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** The files that {@link #run} creates, relative to the home. */
    static List<Path> files() {
        return List.of(Path.of("lib", CACHE), Path.of("lib", MARKER));
    }

    private void train(Path home) {
        Map<String, String> environment = Map.of(
                "BUCKETWRIGHT_TRAINING_LIB", training.toString(),
                "BUCKETWRIGHT_TRAINING_JAVA",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        new ChildProcess(home, environment)
                .require(
                        List.of("sh", home.resolve("bin/bucketwright").toString(), "--create-aot-cache"),
                        _ -> {},
                        code -> "The training run for the AOT cache failed with " + code
                                + ". Use --no-aot-cache to build an image that starts more slowly.");
    }

    private static String key(List<Layer> layers) {
        StringBuilder all = new StringBuilder();
        layers.forEach(layer -> all.append(layer.diffId()).append('\n'));
        return Digest.of(all.toString().getBytes(StandardCharsets.UTF_8)).hex().substring(0, 16);
    }
}
