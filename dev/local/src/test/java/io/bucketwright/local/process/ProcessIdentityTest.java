package io.bucketwright.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIdentityTest {

    @TempDir
    private Path dir;

    @Test
    void withoutARecordThereIsNoProcess() throws IOException {
        assertThat(ProcessIdentity.read(dir.resolve("none"))).isEmpty();
    }

    @Test
    void aDamagedRecordIsAnError() throws IOException {
        Path record = Files.writeString(dir.resolve("etcd"), "12 13 14");
        assertThatThrownBy(() -> ProcessIdentity.read(record)).hasMessageContaining(record.toString());
    }

    @Test
    void pid1IsRejected() {
        assertThatThrownBy(() -> new ProcessIdentity(1, 1)).hasMessageContaining("pid 1");
    }

    @Test
    void anotherStartTimeIsAnotherProcess() {
        assertThat(new ProcessIdentity(ProcessHandle.current().pid(), 1).running())
                .isFalse();
    }
}
