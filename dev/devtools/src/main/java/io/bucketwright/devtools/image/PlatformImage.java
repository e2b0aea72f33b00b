package io.bucketwright.devtools.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The configuration and the manifest of an image of one platform.
 *
 * @param base what the layers are put on; empty for none
 */
record PlatformImage(Platform platform, ImageMetadata metadata, Optional<BaseImage> base, List<Layer> own) {

    static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    private static final String USER = "65532:65532";
    private static final String HOME = "/" + ImageBuild.HOME;
    private static final List<String> ENVIRONMENT = List.of("PATH=" + HOME + "/bin", "LANG=C.UTF-8");

    /** All layers, those of the base first. */
    List<Layer> layers() {
        List<Layer> all = new ArrayList<>();
        base.ifPresent(image -> all.addAll(image.layers()));
        all.addAll(own);
        return all;
    }

    byte[] config() throws IOException {
        ObjectNode config = base.map(image -> image.config().deepCopy()).orElseGet(PlatformImage::object);
        config.put("created", metadata.created().toString());
        config.put("architecture", platform.architecture());
        config.put("os", "linux");
        ObjectNode process = config.withObject("/config");
        process.put("User", USER);
        process.putObject("ExposedPorts").putObject("8080/tcp");
        environment(process);
        process.putArray("Entrypoint").add(HOME + "/bin/bucketwright");
        process.remove("Cmd");
        process.put("WorkingDir", "/");
        ObjectNode labels = process.withObject("/Labels");
        metadata.labels().forEach(labels::put);
        ObjectNode files = config.withObject("/rootfs");
        files.put("type", "layers");
        ArrayNode ids = files.putArray("diff_ids");
        layers().forEach(layer -> ids.add(layer.diffId().toString()));
        ArrayNode history = config.withArray("/history");
        for (Layer layer : own) {
            history.addObject()
                    .put("created", metadata.created().toString())
                    .put("created_by", "bucketwright image: " + layer.title());
        }
        return bytes(config);
    }

    /** The base keeps its environment, but for the variables that the image sets. */
    private static void environment(ObjectNode process) {
        List<String> all = new ArrayList<>();
        for (JsonNode variable : process.path("Env")) {
            String name = variable.asText().split("=", 2)[0] + "=";
            if (ENVIRONMENT.stream().noneMatch(own -> own.startsWith(name))) {
                all.add(variable.asText());
            }
        }
        all.addAll(ENVIRONMENT);
        ArrayNode variables = process.putArray("Env");
        all.forEach(variables::add);
    }

    byte[] manifest(byte[] config) throws IOException {
        ObjectNode manifest = object();
        manifest.put("schemaVersion", 2);
        manifest.put("mediaType", MANIFEST);
        descriptor(manifest.putObject("config"), CONFIG, config);
        ArrayNode layers = manifest.putArray("layers");
        layers().forEach(layer -> layers.addObject()
                .put("mediaType", layer.mediaType())
                .put("digest", layer.digest().toString())
                .put("size", layer.size()));
        ObjectNode annotations = manifest.putObject("annotations");
        metadata.labels().forEach(annotations::put);
        return bytes(manifest);
    }

    static void descriptor(ObjectNode into, String mediaType, byte[] content) {
        into.put("mediaType", mediaType)
                .put("digest", Digest.of(content).toString())
                .put("size", content.length);
    }

    static ObjectNode object() {
        return new ObjectMapper().createObjectNode();
    }

    static byte[] bytes(JsonNode node) throws IOException {
        return (new ObjectMapper().writeValueAsString(node) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
