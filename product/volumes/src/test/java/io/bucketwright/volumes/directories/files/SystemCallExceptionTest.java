package io.bucketwright.volumes.directories.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people read when a system call fails. */
class SystemCallExceptionTest {

    @Test
    void onlyAFailureToSetTheOwnerNamesNfs() {
        assertThat(new SystemCallException("Removing x", SystemCallException.EPERM))
                .hasMessageContaining("immutable")
                .hasMessageNotContaining("root_squash");
    }

    @Test
    void aSymbolicLinkInPlaceOfADirectoryIsNamed(@TempDir Path folder) throws IOException {
        Files.createSymbolicLink(folder.resolve("trash"), folder);
        try (DirectoryHandle root = DirectoryHandle.root(new Libc(), folder)) {
            assertThatThrownBy(() -> root.openOrCreate("trash", 0700)).hasMessageContaining("symbolic link");
        }
    }

    @Test
    void aBtrfsSubvolumeIsNotTakenForAMount() {
        assertThat(SystemCallException.otherFileSystem("Removing x"))
                .hasMessageContaining("unmount")
                .hasMessageContaining("btrfs subvolume delete");
    }
}
