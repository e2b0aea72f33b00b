package io.bucketwright.local.stores;

import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The administrator's keys of a store, kept in its folder in a file that a shell can read.
 *
 * @param file where they are
 */
record StoreKeys(Path file, String id, String secret) {

    private static final String NAME = "administrator.env";

    /** The names of the two variables for stores that speak S3. */
    static final List<String> S3_VARIABLES = List.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");

    /** Reads the keys of a store that speaks S3 in this folder; makes random ones if it has none yet. */
    static StoreKeys provide(Path dir) {
        return provide(dir, S3_VARIABLES, () -> "root-" + hex(6), () -> hex(20));
    }

    /** Reads the keys in this folder; makes some if it has none yet. */
    static StoreKeys provide(Path dir, List<String> variables, Supplier<String> id, Supplier<String> secret) {
        return find(dir).orElseGet(() -> save(dir, variables, id.get(), secret.get()));
    }

    /** The keys in this folder, if it has some. */
    static Optional<StoreKeys> find(Path dir) {
        return Files.exists(dir.resolve(NAME)) ? Optional.of(load(dir)) : Optional.empty();
    }

    private static StoreKeys load(Path dir) {
        Path file = dir.resolve(NAME);
        return LocalClusterException.orFail("Cannot read the administrator's keys in " + file, () -> {
            List<String> values = Files.readAllLines(file).stream()
                    .map(line -> line.substring(line.indexOf('=') + 1))
                    .toList();
            if (values.size() != 2) {
                throw new IOException("there are " + values.size() + " lines in it instead of 2");
            }
            return new StoreKeys(file, values.getFirst(), values.getLast());
        });
    }

    /** Writes the keys, readable by the owner alone. */
    static StoreKeys save(Path dir, List<String> variables, String id, String secret) {
        Path file = dir.resolve(NAME);
        String text = variables.getFirst() + "=" + id + "\n" + variables.getLast() + "=" + secret + "\n";
        LocalClusterException.orFail("Cannot write the administrator's keys to " + file, () -> {
            Files.createDirectories(dir);
            Path fresh = Files.createTempFile(
                    dir, "new", "", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(fresh, text);
            return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        });
        return new StoreKeys(file, id, secret);
    }

    /** An unguessable text. */
    static String hex(int bytes) {
        return HexFormat.of().formatHex(random(bytes));
    }

    static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return random;
    }

    /** How the administrator reaches the store at these endpoints. */
    StoreAccess at(String endpoint, String iamEndpoint) {
        return new StoreAccess(endpoint, iamEndpoint, StoreServers.REGION, id, secret, file.toString());
    }

    @Override
    public String toString() {
        return "StoreKeys[" + id + ", ***]";
    }
}
