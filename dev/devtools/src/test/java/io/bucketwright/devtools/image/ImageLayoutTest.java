package io.bucketwright.devtools.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers and archives of images, read by tar and by what reads base images. */
class ImageLayoutTest {

    private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");
    private static final String DEEP = "opt/" + "directory-with-a-long-name/".repeat(4) + "file-with-a-name";

    @TempDir
    private Path folder;

    private Path root;

    @BeforeEach
    void createFiles() throws IOException {
        root = Files.createDirectories(folder.resolve("root"));
        write("bin/run", "program");
        assertThat(root.resolve("bin/run").toFile().setExecutable(true, false)).isTrue();
        write("etc/name", "value");
        write(DEEP, "deep");
        Files.createDirectories(root.resolve("tmp"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("etc/name"));
    }

    @Test
    void tarListsALayerWithRootAsOwnerAndOneTime() throws Exception {
        Layer layer = layer("all", "bin", "etc", "opt", "tmp", "link");
        assertThat(output(
                        "tar", "--utc", "--numeric-owner", "-tvzf", layer.file().toString()))
                .containsSubsequence(
                        "drwxr-xr-x 0/0               0 2026-11-15 00:00 bin/",
                        "-rwxr-xr-x 0/0               7 2026-11-15 00:00 bin/run",
                        "-rw-r--r-- 0/0               5 2026-11-15 00:00 etc/name",
                        "lrwxrwxrwx 0/0               0 2026-11-15 00:00 link -> etc/name",
                        "-rw-r--r-- 0/0               4 2026-11-15 00:00 " + DEEP,
                        "drwxrwxrwt 0/0               0 2026-11-15 00:00 tmp/");
        assertThat(output("sh", "-c", "gzip -dc " + layer.file() + " | sha256sum | cut -c 1-64"))
                .containsExactly(layer.diffId().hex());
        assertThat(output("sh", "-c", "sha256sum " + layer.file() + " | cut -c 1-64"))
                .containsExactly(layer.digest().hex());
    }

    @Test
    void aLayerDependsOnNamesAndContentsOnly() throws Exception {
        Layer first = layer("first", "bin", "etc");
        Files.setLastModifiedTime(root.resolve("etc/name"), FileTime.from(Instant.EPOCH));
        assertThat(layer("second", "etc", "bin").digest()).isEqualTo(first.digest());
        write("etc/name", "other");
        assertThat(layer("third", "bin", "etc").digest()).isNotEqualTo(first.digest());
    }

    @Test
    void anArchiveIsABaseOfAnotherImage() throws Exception {
        Path archive = folder.resolve("base.tar");
        ImageMetadata metadata = metadata("example.com/base:1");
        List<PlatformImage> images = List.of(
                new PlatformImage(Platform.AMD64, metadata, Optional.empty(), List.of(layer("amd64", "bin"))),
                new PlatformImage(Platform.ARM64, metadata, Optional.empty(), List.of(layer("arm64", "etc"))));
        new ImageLayout(metadata, images).write(archive);

        BaseImage base = BaseImage.read(archive, Platform.ARM64, folder.resolve("work"));
        PlatformImage image = new PlatformImage(
                Platform.ARM64, metadata("bucketwright:1"), Optional.of(base), List.of(layer("own", "opt")));

        assertThat(base.layers())
                .extracting(Layer::digest)
                .containsExactly(images.get(1).own().getFirst().digest());
        JsonNode config = new ObjectMapper().readTree(image.config());
        assertThat(config.path("architecture").asText()).isEqualTo("arm64");
        assertThat(config.path("rootfs").path("diff_ids")).hasSize(2);
        assertThat(config.path("history")).hasSize(2);
        assertThat(config.path("config").path("Env")).hasSize(2);
        assertThat(config.path("config").path("User").asText()).isEqualTo("65532:65532");
    }

    @Test
    void aBaseThatIsNotInTheLayoutIsReported() throws Exception {
        Path empty = Files.createDirectories(folder.resolve("empty"));
        assertThatThrownBy(() -> BaseImage.read(empty, Platform.AMD64, folder))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(empty.toString())
                .hasMessageContaining("index.json");
    }

    @Test
    void aReferenceWithoutARegistryIsCompletedAsKubernetesDoes() {
        assertThat(metadata("bucketwright:1").qualifiedReference()).isEqualTo("docker.io/library/bucketwright:1");
        assertThat(metadata("team/bucketwright:1").qualifiedReference()).isEqualTo("docker.io/team/bucketwright:1");
        assertThat(metadata("localhost/b:1").qualifiedReference()).isEqualTo("localhost/b:1");
        assertThat(metadata("example.com/b:1").qualifiedReference()).isEqualTo("example.com/b:1");
    }

    @Test
    void anUnknownPlatformIsAUsageError() {
        assertThat(Platform.parse("linux/arm64")).isEqualTo(Platform.ARM64);
        assertThat(Platform.parse("amd64")).isEqualTo(Platform.AMD64);
        assertThatThrownBy(() -> Platform.parse("linux/s390x")).hasMessageContaining("linux/amd64 and linux/arm64");
    }

    private static ImageMetadata metadata(String reference) {
        return new ImageMetadata(reference, "1", TIME, Optional.of("abc"), Optional.empty());
    }

    private Layer layer(String name, String... paths) throws IOException {
        return new LayerWriter(root, TIME)
                .write(name, List.of(paths).stream().map(Path::of).toList(), folder.resolve(name + ".tar.gz"));
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.resolve("..").normalize());
        Files.writeString(file, text);
    }

    private static List<String> output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as(lines.toString()).isZero();
        return lines;
    }
}
