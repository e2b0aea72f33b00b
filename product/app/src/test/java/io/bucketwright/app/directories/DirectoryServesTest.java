package io.bucketwright.app.directories;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the Lease of a directory provisioner says that it serves. */
class DirectoryServesTest {

    @Test
    void itIsTheProvisionerOrTheClasses() {
        assertThat(DirectoryProvisionerCommand.served("", List.of())).isEqualTo("bucketwright.io/directory");
        assertThat(DirectoryProvisionerCommand.served("example.com/nfs", List.of()))
                .isEqualTo("example.com/nfs");
        assertThat(DirectoryProvisionerCommand.served("", List.of("shared", "fast")))
                .as("in any order")
                .isEqualTo(DirectoryProvisionerCommand.served("example.com/nfs", List.of("fast", "shared")))
                .isEqualTo("fast,shared");
    }
}
