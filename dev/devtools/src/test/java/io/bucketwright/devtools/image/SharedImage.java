package io.bucketwright.devtools.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.InstalledCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The image of this build, built once for all test classes: the training of its AOT cache takes minutes of CPU time.
 *
 * @param folder the output of the command
 * @param printed what the command printed
 */
public record SharedImage(Path folder, String printed) {

    /** Where the command writes images by default, and where the demo looks for one. */
    private static SharedImage build() {
        try {
            Path folder = InstalledCommand.DIST.resolveSibling("image");
            return new SharedImage(folder, build(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the image is built", e);
        }
    }

    /** Builds the image into a folder, and returns what the command printed. */
    public static String build(Path folder) throws IOException, InterruptedException {
        Path out = Files.createTempFile("image", ".out");
        Path err = Files.createTempFile("image", ".err");
        try {
            int code = new ProcessBuilder(
                            InstalledCommand.DIST.resolve("bin/bucketwright").toString(),
                            "image",
                            "--output",
                            folder.toString())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start()
                    .waitFor();
            assertThat(code).as(Files.readString(err)).isZero();
            return Files.readString(out);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** The archive for the architecture of this machine. */
    public Path archive() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".tar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Resolves the image as a parameter of tests. */
    public static final class Provider implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == SharedImage.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(SharedImage.class))
                    .computeIfAbsent(SharedImage.class, _ -> SharedImage.build(), SharedImage.class);
        }
    }
}
