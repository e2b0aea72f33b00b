package io.bucketwright.app.training;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives the classes of a jar a newer class file format, with stack maps. The JVM does not put classes of Java 5, such as
 * those of picocli, into an AOT cache, and verifies them slowly. Their code does not change. Run by the build.
 */
public final class ClassFileUpgrade {

    /** The first format whose classes the JVM verifies with stack maps only. */
    private static final int NEW = ClassFile.JAVA_7_VERSION;

    private final Map<String, byte[]> classes = new LinkedHashMap<>();
    private final ClassFile format = ClassFile.of(
            ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(this::open)
                    .orElse(ClassHierarchyResolver.defaultResolver())),
            // Code that shares a pool of constants would be copied as it is.
            ConstantPoolSharingOption.NEW_POOL,
            StackMapsOption.GENERATE_STACK_MAPS);

    private ClassFileUpgrade() {}

    /**
     * Upgrades jars.
     *
     * @param jars paths; a jar without old classes is left unchanged
     */
    public static void main(String[] jars) {
        for (String jar : jars) {
            try {
                new ClassFileUpgrade().upgrade(Path.of(jar));
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot upgrade the classes of " + jar, e);
            }
        }
    }

    private void upgrade(Path jar) throws IOException {
        List<JarEntry> entries = new ArrayList<>();
        Map<String, byte[]> contents = new LinkedHashMap<>();
        try (JarFile source = new JarFile(jar.toFile())) {
            for (JarEntry entry : source.stream().toList()) {
                entries.add(entry);
                try (InputStream content = source.getInputStream(entry)) {
                    contents.put(entry.getName(), content.readAllBytes());
                }
            }
        }
        contents.forEach((name, content) -> {
            if (name.endsWith(".class")) {
                classes.put(name, content);
            }
        });
        if (classes.values().stream().noneMatch(ClassFileUpgrade::isOld)) {
            return;
        }
        Path upgraded = jar.resolveSibling(jar.getFileName() + ".new");
        try (JarOutputStream target = new JarOutputStream(Files.newOutputStream(upgraded))) {
            for (JarEntry entry : entries) {
                JarEntry copy = new JarEntry(entry.getName());
                copy.setTime(entry.getTime());
                target.putNextEntry(copy);
                target.write(upgraded(contents.getOrDefault(entry.getName(), new byte[0])));
                target.closeEntry();
            }
        }
        Files.move(upgraded, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private byte[] upgraded(byte[] content) {
        if (!isOld(content)) {
            return content;
        }
        ClassModel model = format.parse(content);
        return format.transformClass(model, (builder, element) -> {
            if (element instanceof ClassFileVersion) {
                builder.withVersion(NEW, 0);
            } else {
                builder.with(element);
            }
        });
    }

    /** Whether it is a class in a format before stack maps: bytes 6 and 7 are the version. */
    private static boolean isOld(byte[] content) {
        return content.length > 8
                && (content[0] & 0xff) == 0xca
                && (content[1] & 0xff) == 0xfe
                && (content[2] & 0xff) == 0xba
                && (content[3] & 0xff) == 0xbe
                && ((content[6] & 0xff) << 8 | (content[7] & 0xff)) < ClassFile.JAVA_6_VERSION;
    }

    /** The superclasses of the jar's classes, which stack maps depend on. */
    private @Nullable InputStream open(ClassDesc name) {
        String descriptor = name.descriptorString();
        byte @Nullable [] content = classes.get(descriptor.substring(1, descriptor.length() - 1) + ".class");
        return content == null ? null : new ByteArrayInputStream(content);
    }
}
