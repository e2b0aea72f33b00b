package io.bucketwright.store.s3.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.InterfaceMethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The operations of the S3 and IAM APIs that classes of this module call, from their class files. */
public final class SdkCalls {

    private static final Set<String> NOT_OPERATIONS = Set.of("close", "serviceName", "builder");

    private SdkCalls() {}

    /** The operations, such as {@code S3.CreateBucket}. */
    public static Set<String> ofThisModule() {
        try (Stream<Path> files = Files.walk(Path.of(AwsClients.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI()))) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    // It uses the key of the claim, not the administrator's.
                    .filter(file -> !file.endsWith("KeyPropagation.class"))
                    .flatMap(SdkCalls::calls)
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<String> calls(Path file) {
        try {
            ClassModel model = ClassFile.of().parse(file);
            Stream.Builder<String> calls = Stream.builder();
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof InterfaceMethodRefEntry call) {
                    operation(call.owner().asInternalName(), call.name().stringValue())
                            .ifPresent(calls::add);
                }
            }
            return calls.build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> operation(String owner, String method) {
        String service = owner.endsWith("/s3/S3Client") ? "S3" : owner.endsWith("/iam/IamClient") ? "Iam" : "";
        if (service.isEmpty() || NOT_OPERATIONS.contains(method)) {
            return Optional.empty();
        }
        return Optional.of(service + "." + method.substring(0, 1).toUpperCase(Locale.ROOT) + method.substring(1));
    }
}
