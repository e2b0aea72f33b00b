package io.bucketwright.cosi.driver;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Credentials from a directory with one file for each key, as Kubernetes mounts a Secret, or from a file with a line
 * {@code KEY=VALUE} for each key. They are read at each call, so that a Secret that changes needs no restart.
 */
public record CredentialPath(Path path) implements DriverCredentials {

    /** No credential is longer; this detects a directory that is not a mounted Secret. */
    private static final long MAX_BYTES = 64 * 1024;

    /**
     * Reads the directory without files that begin with a dot, which are Kubernetes' own, or the file without empty lines
     * and comments, which begin with {@code #}.
     *
     * @throws Denied if something cannot be read, or a line has another form. The line itself is not shown
     */
    @Override
    public AdministratorSecret read() {
        Map<String, SecretValue> data = new HashMap<>();
        try {
            if (Files.isDirectory(path)) {
                readDirectory(data);
            } else {
                readFile(data);
            }
        } catch (IOException e) {
            throw new Denied("The credentials in " + path + " cannot be read: " + e.getMessage(), e);
        }
        return new AdministratorSecret(data);
    }

    private void readDirectory(Map<String, SecretValue> data) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(path)) {
            files = all.filter(file -> !file.getFileName().toString().startsWith("."))
                    .filter(Files::isRegularFile)
                    .toList();
        }
        for (Path file : files) {
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException(file + " is larger than any credential");
            }
            data.put(
                    file.getFileName().toString(),
                    SecretValue.of(Files.readString(file).strip()));
        }
    }

    private void readFile(Map<String, SecretValue> data) throws IOException {
        int number = 0;
        for (String line : Files.readAllLines(path)) {
            number++;
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new Denied("Line " + number + " of " + path + " must be KEY=VALUE.");
            }
            data.put(
                    text.substring(0, equals).strip(),
                    SecretValue.of(text.substring(equals + 1).strip()));
        }
    }
}
