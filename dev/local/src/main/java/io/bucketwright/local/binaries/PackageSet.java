package io.bucketwright.local.binaries;

import io.bucketwright.local.process.Resources;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.CRC32;

/** Programs that are downloaded instead of built: one script each, with the versions in it. */
public enum PackageSet {
    NODE("containerd, runc, network plugins and busybox from Debian (36 MB)", Tools.DEBIAN),
    CEPH("the Ceph monitor, OSD and object gateway from Debian (70 MB)", Tools.DEBIAN),
    AZURITE("Azurite from npm (about 60 MB)", "node and npm, and the npm registry"),
    GCS_EMULATOR("gcp-storage-emulator from PyPI (3 MB)", Tools.PYTHON),
    MOTO("moto from PyPI (35 MB)", Tools.PYTHON),
    STORE_SDKS("the SDKs of Azure, Google Cloud and MinIO from PyPI (25 MB)", Tools.PYTHON),
    LIBRARIES_AMD64("the C library and a shell for amd64 from Debian (4 MB)", Tools.DEBIAN, "image-libraries", "amd64"),
    LIBRARIES_ARM64("the C library and a shell for arm64 from Debian (4 MB)", Tools.DEBIAN, "image-libraries", "arm64"),
    JAVA_AMD64("a Java runtime for amd64 from PyPI (35 MB)", Tools.PYTHON, "java-runtime", "amd64"),
    JAVA_ARM64("a Java runtime for arm64 from PyPI (35 MB)", Tools.PYTHON, "java-runtime", "arm64");

    private final String description;
    private final String requirements;
    private final String scriptName;
    private final String architecture;

    PackageSet(String description, String requirements) {
        this(description, requirements, "", "");
    }

    PackageSet(String description, String requirements, String scriptName, String architecture) {
        this.description = description;
        this.requirements = requirements;
        this.scriptName = scriptName;
        this.architecture = architecture;
    }

    String description() {
        return description;
    }

    /** What the script needs of the machine. */
    String requirements() {
        return requirements;
    }

    String script() {
        return Resources.text("packages/" + (scriptName.isEmpty() ? text() : scriptName) + ".sh");
    }

    /** The second argument of the script; empty if it has none. */
    String architecture() {
        return architecture;
    }

    /** Names what would be downloaded: changes whenever the script does. */
    String id() {
        CRC32 crc = new CRC32();
        crc.update(script().getBytes(StandardCharsets.UTF_8));
        return text() + "-packages-" + HexFormat.of().toHexDigits((int) crc.getValue());
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static final class Tools {
        private static final String DEBIAN =
                "apt-get, dpkg and tar, as Debian and Ubuntu have them, and their package mirror";
        private static final String PYTHON = "python3 with its module venv, and the Python package index";

        private Tools() {}
    }
}
