package io.bucketwright.devtools.image;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes images into an archive in the OCI image layout, which containerd, Podman, skopeo and crane read. It also has the
 * {@code manifest.json} that {@code docker load} reads.
 */
record ImageLayout(ImageMetadata metadata, List<PlatformImage> images) {

    private static final String INDEX = "application/vnd.oci.image.index.v1+json";

    /** Writes the archive, and returns the digest that a registry has for the image. */
    Digest write(Path archive) throws IOException {
        Map<String, byte[]> texts = new TreeMap<>();
        Map<String, Path> blobs = new TreeMap<>();
        ObjectNode index = index();
        ArrayNode manifests = index.putArray("manifests");
        ArrayNode docker = PlatformImage.object().putArray("images");
        for (PlatformImage image : images) {
            byte[] config = image.config();
            byte[] manifest = image.manifest(config);
            ObjectNode entry = manifests.addObject();
            PlatformImage.descriptor(entry, PlatformImage.MANIFEST, manifest);
            entry.putObject("platform")
                    .put("architecture", image.platform().architecture())
                    .put("os", "linux");
            texts.put(Digest.of(config).blobPath(), config);
            texts.put(Digest.of(manifest).blobPath(), manifest);
            image.layers().forEach(layer -> blobs.put(layer.digest().blobPath(), layer.file()));
            if (docker.isEmpty()) {
                docker(docker.addObject(), image, config);
            }
        }
        Digest digest = Digest.parse(manifests.path(0).path("digest").asText());
        if (images.size() > 1) {
            // Its own blob, so that tools copy the image with all its platforms under one name.
            byte[] nested = PlatformImage.bytes(index);
            digest = Digest.of(nested);
            texts.put(digest.blobPath(), nested);
            manifests.removeAll();
            PlatformImage.descriptor(manifests.addObject(), INDEX, nested);
        }
        ((ObjectNode) manifests.path(0))
                .putObject("annotations")
                .put("io.containerd.image.name", metadata.qualifiedReference())
                .put(ImageMetadata.PREFIX + "ref.name", metadata.tag());
        texts.put("index.json", PlatformImage.bytes(index));
        texts.put("manifest.json", PlatformImage.bytes(docker));
        archive(archive, texts, blobs);
        return digest;
    }

    private static ObjectNode index() {
        return PlatformImage.object().put("schemaVersion", 2).put("mediaType", INDEX);
    }

    private void docker(ObjectNode entry, PlatformImage image, byte[] config) {
        entry.put("Config", Digest.of(config).blobPath());
        entry.putArray("RepoTags").add(metadata.reference());
        ArrayNode layers = entry.putArray("Layers");
        image.layers().forEach(layer -> layers.add(layer.digest().blobPath()));
    }

    private void archive(Path file, Map<String, byte[]> texts, Map<String, Path> blobs) throws IOException {
        try (TarWriter tar =
                new TarWriter(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16), metadata.created())) {
            tar.file("oci-layout", 0644, "{\"imageLayoutVersion\":\"1.0.0\"}\n".getBytes(StandardCharsets.UTF_8));
            tar.directory("blobs", 0755);
            tar.directory("blobs/sha256", 0755);
            for (Map.Entry<String, byte[]> text : texts.entrySet()) {
                tar.file(text.getKey(), 0644, text.getValue());
            }
            for (Map.Entry<String, Path> blob : blobs.entrySet()) {
                tar.file(blob.getKey(), 0644, blob.getValue());
            }
        }
    }
}
