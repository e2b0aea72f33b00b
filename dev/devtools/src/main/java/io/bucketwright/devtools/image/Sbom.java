package io.bucketwright.devtools.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The software in an image as a CycloneDX document: jars, the Java runtime and Debian packages, each with the package URL
 * that vulnerability scanners look for. Not the packages of another base.
 *
 * @param root the root file system of the image
 */
record Sbom(Distribution distribution, Path root, Platform platform, ImageMetadata metadata) {

    /** As Maven lists dependencies: group:artifact:type:version:scope, also with a classifier before the version. */
    private static final Pattern DEPENDENCY =
            Pattern.compile("\\s+([^:\\s]+):([^:\\s]+):jar:(?:([^:\\s]+):)?([^:\\s]+):(?:compile|runtime)\\b.*");

    private static final Pattern JAR = Pattern.compile("(.+?)-(\\d.*)\\.jar");
    private static final String LIBRARY = "library";

    private record Part(String type, String group, String name, String version, String url, String hash) {}

    /** Writes the document. The image's digest names it: the same image has the same document. */
    void write(Digest image, Path file) throws IOException {
        ObjectNode document = PlatformImage.object();
        document.put("bomFormat", "CycloneDX");
        document.put("specVersion", "1.6");
        document.put(
                "serialNumber",
                "urn:uuid:" + UUID.nameUUIDFromBytes(image.toString().getBytes(StandardCharsets.UTF_8)));
        document.put("version", 1);
        ObjectNode about = document.putObject("metadata");
        about.put("timestamp", metadata.created().toString());
        about.putObject("component")
                .put("type", "container")
                .put("bom-ref", "image")
                .put("name", "bucketwright")
                .put("version", metadata.version())
                .put(
                        "purl",
                        "pkg:oci/bucketwright@" + image.toString().replace(":", "%3A") + "?arch="
                                + platform.architecture())
                .putArray("hashes")
                .addObject()
                .put("alg", "SHA-256")
                .put("content", image.hex());
        ArrayNode components = document.putArray("components");
        List<Part> parts = parts();
        for (Part part : parts) {
            ObjectNode component = components.addObject();
            component.put("type", part.type()).put("bom-ref", part.url());
            if (!part.group().isEmpty()) {
                component.put("group", part.group());
            }
            component.put("name", part.name()).put("version", part.version());
            if (!part.hash().isEmpty()) {
                component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", part.hash());
            }
            component.put("purl", part.url());
        }
        ArrayNode needed = document.putArray("dependencies")
                .addObject()
                .put("ref", "image")
                .putArray("dependsOn");
        parts.forEach(part -> needed.add(part.url()));
        Files.writeString(
                file,
                new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(document) + "\n");
    }

    private List<Part> parts() throws IOException {
        List<Part> parts = new ArrayList<>();
        Map<String, String> groups = groups();
        for (Path jar : distribution.jars()) {
            String file = String.valueOf(jar.getFileName());
            Matcher name = JAR.matcher(file);
            if (!name.matches()) {
                throw new IOException("The version of " + jar + " is not in its name");
            }
            String group = groups.getOrDefault(file, "");
            String version = name.group(2);
            String url =
                    (group.isEmpty() ? "pkg:generic/" : "pkg:maven/" + group + "/") + name.group(1) + "@" + version;
            String hash = Digest.of(Files.readAllBytes(jar)).hex();
            parts.add(new Part(LIBRARY, group, name.group(1), version, url, hash));
        }
        parts.add(java());
        parts.addAll(packages());
        parts.sort(Comparator.comparing(Part::url));
        return parts;
    }

    /** The groups of the jars, by file name, from the list that the build writes. */
    private Map<String, String> groups() throws IOException {
        Map<String, String> groups = new HashMap<>();
        groups.put(String.valueOf(distribution.jar().getFileName()), "io.bucketwright");
        Path list = distribution.home().resolve("dependencies.txt");
        if (Files.exists(list)) {
            for (String line : Files.readAllLines(list)) {
                Matcher dependency = DEPENDENCY.matcher(line);
                if (dependency.matches()) {
                    String classifier = dependency.group(3) == null ? "" : "-" + dependency.group(3);
                    groups.put(
                            dependency.group(2) + "-" + dependency.group(4) + classifier + ".jar", dependency.group(1));
                }
            }
        }
        return groups;
    }

    private Part java() throws IOException {
        String version = Files.readString(root.resolve(ImageBuild.HOME + "/runtime/release"))
                .lines()
                .filter(line -> line.startsWith("JAVA_VERSION="))
                .map(line -> line.substring("JAVA_VERSION=".length()).replace("\"", ""))
                .findFirst()
                .orElse("25");
        return new Part("framework", "", "openjdk", version, "pkg:generic/openjdk@" + version, "");
    }

    private List<Part> packages() throws IOException {
        Path status = root.resolve("var/lib/dpkg/status.d");
        List<Part> parts = new ArrayList<>();
        if (Files.isDirectory(status)) {
            try (Stream<Path> files = Files.list(status)) {
                for (Path file : files.sorted().toList()) {
                    Map<String, String> fields = new HashMap<>();
                    for (String line : Files.readAllLines(file)) {
                        String[] field = line.split(": ", 2);
                        if (field.length == 2) {
                            fields.putIfAbsent(field[0], field[1]);
                        }
                    }
                    String name = fields.getOrDefault("Package", "");
                    String version = fields.getOrDefault("Version", "");
                    String url = "pkg:deb/debian/" + name + "@"
                            + version.replace("+", "%2B").replace(":", "%3A") + "?arch="
                            + fields.getOrDefault("Architecture", platform.architecture());
                    parts.add(new Part(LIBRARY, "", name, version, url, ""));
                }
            }
        }
        return parts;
    }
}
