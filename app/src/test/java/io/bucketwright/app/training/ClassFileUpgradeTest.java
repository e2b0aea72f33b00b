package io.bucketwright.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The jar that the build upgrades: that of picocli. */
class ClassFileUpgradeTest {

    @TempDir
    private Path temporary;

    @Test
    void allClassesAreNewerAndTheJvmVerifiesThem() throws Exception {
        Path old = Path.of(CommandLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path jar = Files.copy(old, temporary.resolve("picocli.jar"));
        ClassFileUpgrade.main(new String[] {jar.toString()});

        int classes = 0;
        try (JarFile before = new JarFile(old.toFile());
                JarFile after = new JarFile(jar.toFile());
                URLClassLoader loader =
                        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            assertThat(after.size()).isEqualTo(before.size());
            for (var entry : after.stream().toList()) {
                if (entry.getName().startsWith("picocli/") && entry.getName().endsWith(".class")) {
                    classes++;
                    ClassModel upgraded = read(after, entry.getName());
                    assertThat(upgraded.majorVersion()).isGreaterThanOrEqualTo(ClassFile.JAVA_7_VERSION);
                    assertThat(upgraded.methods())
                            .hasSameSizeAs(read(before, entry.getName()).methods());
                    String name = entry.getName()
                            .replace('/', '.')
                            .substring(0, entry.getName().length() - 6);
                    if (!name.contains("groovy") && !name.contains("Groovy")) {
                        // Initializing a class verifies it, against its stack maps only.
                        assertThat(Class.forName(name, true, loader).getClassLoader())
                                .isSameAs(loader);
                    }
                }
            }
        }
        assertThat(classes).isGreaterThan(100);
    }

    @Test
    void aJarWithoutOldClassesIsLeftUnchanged() throws Exception {
        Path jar = Files.copy(
                Path.of(Test.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()),
                temporary.resolve("new.jar"));
        byte[] before = Files.readAllBytes(jar);
        ClassFileUpgrade.main(new String[] {jar.toString()});
        assertThat(Files.readAllBytes(jar)).isEqualTo(before);
    }

    private static ClassModel read(JarFile jar, String name) throws IOException {
        try (InputStream content = jar.getInputStream(jar.getJarEntry(name))) {
            return ClassFile.of().parse(content.readAllBytes());
        }
    }
}
