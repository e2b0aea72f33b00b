package io.bucketwright.devtools.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An image of one platform that ours is put on.
 *
 * @param config its configuration
 * @param layers its layers, lowest first
 */
record BaseImage(ObjectNode config, List<Layer> layers) {

    /**
     * Reads an OCI image layout.
     *
     * @param path a directory, or an archive of one
     * @param work a directory that archives are unpacked in
     */
    static BaseImage read(Path path, Platform platform, Path work) throws IOException {
        Path layout = path;
        if (Files.isRegularFile(path)) {
            layout = Files.createDirectories(work.resolve("base"));
            new ChildProcess(layout, Map.of())
                    .require(
                            List.of("tar", "-xf", path.toAbsolutePath().toString()),
                            _ -> {},
                            code -> "tar could not unpack the base image " + path + " (" + code + ").");
        }
        Path index = layout.resolve("index.json");
        if (!Files.isRegularFile(index)) {
            throw new CommandException(
                    "The base image " + path + " is not in the OCI image layout: it has no index.json."
                            + " `skopeo copy docker://IMAGE oci:DIRECTORY` makes such a directory.");
        }
        JsonNode manifest = manifest(layout, json(index), platform, path);
        ObjectNode config = (ObjectNode) json(blob(layout, manifest.path("config")));
        List<Layer> layers = new ArrayList<>();
        JsonNode ids = config.path("rootfs").path("diff_ids");
        for (JsonNode layer : manifest.path("layers")) {
            layers.add(new Layer(
                    "base",
                    layer.path("mediaType").asText(),
                    blob(layout, layer),
                    layer.path("size").asLong(),
                    Digest.parse(layer.path("digest").asText()),
                    Digest.parse(ids.path(layers.size()).asText())));
        }
        return new BaseImage(config, layers);
    }

    /** An index may refer to other indexes; an image of one platform may have no platform in its descriptor. */
    private static JsonNode manifest(Path layout, JsonNode index, Platform platform, Path path) throws IOException {
        for (JsonNode entry : index.path("manifests")) {
            JsonNode content = json(blob(layout, entry));
            if (content.has("manifests")) {
                return manifest(layout, content, platform, path);
            }
            String architecture = entry.has("platform")
                    ? entry.path("platform").path("architecture").asText()
                    : json(blob(layout, content.path("config")))
                            .path("architecture")
                            .asText();
            if (architecture.equals(platform.architecture())) {
                return content;
            }
        }
        throw new CommandException(
                "The base image " + path + " has no image for linux/" + platform.architecture() + ".");
    }

    private static JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }

    private static Path blob(Path layout, JsonNode descriptor) {
        return layout.resolve(Digest.parse(descriptor.path("digest").asText()).blobPath());
    }
}
