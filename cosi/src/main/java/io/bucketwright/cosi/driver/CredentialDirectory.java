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
 * Credentials from a directory with one file for each key, as Kubernetes mounts a Secret. They are read at each call, so
 * that a Secret that changes needs no restart.
 */
public final class CredentialDirectory implements DriverCredentials {

    /** No credential is longer; this detects a directory that is not a mounted Secret. */
    private static final long LARGEST = 64 * 1024;

    private final Path directory;

    public CredentialDirectory(Path directory) {
        this.directory = directory;
    }

    /**
     * Reads all files whose names do not begin with a dot, which are Kubernetes' own.
     *
     * @throws Denied if one cannot be read
     */
    @Override
    public AdministratorSecret read() {
        Map<String, SecretValue> data = new HashMap<>();
        for (Path file : files()) {
            try {
                if (Files.size(file) > LARGEST) {
                    throw new IOException("it is larger than any credential");
                }
                data.put(
                        file.getFileName().toString(),
                        SecretValue.of(Files.readString(file).strip()));
            } catch (IOException e) {
                throw new Denied("The credential " + file + " cannot be read: " + e.getMessage(), e);
            }
        }
        return new AdministratorSecret(data);
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> !file.getFileName().toString().startsWith("."))
                    .filter(Files::isRegularFile)
                    .toList();
        } catch (IOException e) {
            throw new Denied("The credentials in " + directory + " cannot be read: " + e.getMessage(), e);
        }
    }
}
