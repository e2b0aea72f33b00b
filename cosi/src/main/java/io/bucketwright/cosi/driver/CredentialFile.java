package io.bucketwright.cosi.driver;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Credentials from a file with a line {@code KEY=VALUE} for each. Read at each call. */
public final class CredentialFile implements DriverCredentials {

    private final Path file;

    public CredentialFile(Path file) {
        this.file = file;
    }

    /**
     * Reads all lines; empty lines and lines that begin with {@code #} are ignored.
     *
     * @throws Denied if the file cannot be read, or a line has another form. The line itself is not shown
     */
    @Override
    public AdministratorSecret read() {
        Map<String, SecretValue> data = new HashMap<>();
        try {
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                String text = line.strip();
                if (text.isEmpty() || text.startsWith("#")) {
                    continue;
                }
                int equals = text.indexOf('=');
                if (equals < 1) {
                    throw new Denied("Line " + number + " of " + file + " must be KEY=VALUE.");
                }
                data.put(
                        text.substring(0, equals).strip(),
                        SecretValue.of(text.substring(equals + 1).strip()));
            }
        } catch (IOException e) {
            throw new Denied("The credentials in " + file + " cannot be read: " + e.getMessage(), e);
        }
        return new AdministratorSecret(data);
    }
}
