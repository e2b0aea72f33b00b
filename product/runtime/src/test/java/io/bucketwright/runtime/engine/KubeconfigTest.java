package io.bucketwright.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.client.ApiConnection;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The system property has the meaning of the environment variable KUBECONFIG for the client. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class KubeconfigTest {

    private static final String KUBECONFIG = "kubeconfig";

    @TempDir
    private Path dir;

    @AfterEach
    void close() {
        System.clearProperty(KUBECONFIG);
    }

    @Test
    void aFileThatKubeconfigNamesMustExist() {
        System.setProperty(KUBECONFIG, "/nowhere");
        assertThatThrownBy(() -> new Kubeconfig(null, null).load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The kubeconfig /nowhere cannot be read. Check the environment variable KUBECONFIG.");
    }

    /** Commands send their writes with a client of fabric8. */
    @Test
    void commandsAreTheSameFieldManagerAsControllers() throws IOException {
        assertThat(new Kubeconfig(config("a"), "a").load().getUserAgent()).isEqualTo(ApiConnection.USER_AGENT);
    }

    @Test
    void aFileThatKubeconfigNamesMustBeValid() throws IOException {
        Path file = Files.writeString(dir.resolve("config"), "users: [{user: token: }");
        System.setProperty(KUBECONFIG, file.toString());
        assertThatThrownBy(() -> new Kubeconfig(null, null).load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The file " + file + " is not a valid kubeconfig.");
    }

    @Test
    void theContextMustExistInOneOfTheFiles() throws IOException {
        System.setProperty(KUBECONFIG, config("a") + File.pathSeparator + "/nowhere");
        assertThat(new Kubeconfig(null, "a").load().getMasterUrl()).isEqualTo("https://a.test:6443/");
        assertThatThrownBy(() -> new Kubeconfig(null, "production-typo").load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("There is no context \"production-typo\" in the kubeconfig ")
                .hasMessageEndingWith("; there are a.");
    }

    @Test
    void theCurrentContextMustExist() throws IOException {
        Path file = config("a");
        String text = Files.readString(file);
        for (String current : new String[] {"current-context: typo", "", "current-context: ''"}) {
            Files.writeString(file, text.replace("current-context: a", current));
            String message = "The kubeconfig " + file
                    + " has no current context, or one that does not exist; there are a. Name one of its contexts.";
            assertThatThrownBy(() -> new Kubeconfig(file, null).load())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
            System.setProperty(KUBECONFIG, file.toString());
            assertThatThrownBy(() -> new Kubeconfig(null, null).load())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
            assertThat(new Kubeconfig(file, "a").load().getMasterUrl()).isEqualTo("https://a.test:6443/");
        }
    }

    private Path config(String name) throws IOException {
        return Files.writeString(dir.resolve(name), """
                apiVersion: v1
                kind: Config
                current-context: %1$s
                contexts: [{name: %1$s, context: {cluster: %1$s, user: %1$s}}]
                clusters: [{name: %1$s, cluster: {server: 'https://%1$s.test:6443'}}]
                users: [{name: %1$s, user: {token: abc}}]
                """.formatted(name));
    }
}
