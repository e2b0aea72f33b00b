package io.bucketwright.devtools.image;

import io.bucketwright.local.binaries.PackageSet;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** An architecture of Linux that images are built for. */
enum Platform {
    AMD64(PackageSet.LIBRARIES_AMD64, PackageSet.JAVA_AMD64, "x86_64"),
    ARM64(PackageSet.LIBRARIES_ARM64, PackageSet.JAVA_ARM64, "aarch64");

    private final PackageSet libraries;
    private final PackageSet java;
    private final String machine;

    Platform(PackageSet libraries, PackageSet java, String machine) {
        this.libraries = libraries;
        this.java = java;
        this.machine = machine;
    }

    /** As OCI, Kubernetes and Debian name it. */
    String architecture() {
        return name().toLowerCase(Locale.ROOT);
    }

    PackageSet libraries() {
        return libraries;
    }

    /** A whole runtime, for a machine whose JDK has another architecture. */
    PackageSet java() {
        return java;
    }

    /** The platform of this JVM; empty on other architectures. */
    static Optional<Platform> ofThisJvm() {
        return ofMachine(System.getProperty("os.arch"));
    }

    /** By the name that the kernel or the {@code release} file of a JDK has for it. */
    static Optional<Platform> ofMachine(String name) {
        return Arrays.stream(values())
                .filter(platform ->
                        platform.machine.equals(name) || platform.architecture().equals(name))
                .findFirst();
    }

    /**
     * Parses {@code amd64} or {@code linux/amd64}.
     *
     * @throws IllegalArgumentException if it is no platform
     */
    static Platform parse(String text) {
        String name = text.startsWith("linux/") ? text.substring("linux/".length()) : text;
        return ofMachine(name)
                .orElseThrow(() -> new IllegalArgumentException("Unknown platform '" + text + "'; images are built for "
                        + Arrays.stream(values())
                                .map(platform -> "linux/" + platform.architecture())
                                .collect(Collectors.joining(" and "))));
    }
}
