package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {

    @TempDir
    private Path folder = Path.of("/");

    @Test
    void aMountedSecretIsReadAsKubernetesMountsIt() throws Exception {
        Path data = Files.createDirectory(folder.resolve("..2026_11_15"));
        Files.writeString(data.resolve("AWS_ACCESS_KEY_ID"), "id\n");
        Files.createSymbolicLink(folder.resolve("..data"), data.getFileName());
        Files.createSymbolicLink(folder.resolve("AWS_ACCESS_KEY_ID"), Path.of("..data", "AWS_ACCESS_KEY_ID"));

        assertThat(new CredentialPath(folder).read().data())
                .isEqualTo(Map.of("AWS_ACCESS_KEY_ID", SecretValue.of("id")));
    }

    @Test
    void aFileHasALineForEachKey() throws Exception {
        Path file = Files.writeString(folder.resolve("keys"), """
                # the administrator's
                AWS_ACCESS_KEY_ID = id

                AWS_SECRET_ACCESS_KEY=a=b
                """);

        assertThat(new CredentialPath(file).read().data())
                .isEqualTo(Map.of(
                        "AWS_ACCESS_KEY_ID", SecretValue.of("id"), "AWS_SECRET_ACCESS_KEY", SecretValue.of("a=b")));
    }

    @Test
    void aBrokenFileIsReportedWithoutItsContent() throws Exception {
        Path file = Files.writeString(folder.resolve("keys"), "A=1\nhunter2\n");

        assertThatThrownBy(new CredentialPath(file)::read)
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Line 2")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void missingCredentialsAreReportedToTheCaller() {
        assertThatThrownBy(new CredentialPath(folder.resolve("gone"))::read).isInstanceOf(Denied.class);
    }
}
