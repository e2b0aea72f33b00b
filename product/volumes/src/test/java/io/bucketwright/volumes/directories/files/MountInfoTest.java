package io.bucketwright.volumes.directories.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountInfoTest {

    private static final int DIRECTORY = 0040700;

    /** In a container, every volume is a mount point; only the mounted file system shows whether the disk is there. */
    @ParameterizedTest
    @CsvSource({
        "true, 36, 2, 36 35 8:1 / /mnt/disk rw - ext4 /dev/sdb1 rw",
        "false, 36, 7, 36 35 8:1 /mnt/disk /mnt/disk rw - ext4 /dev/sda1 rw",
        "true, 36, 256, 36 35 0:40 /@volumes /mnt/disk rw shared:1 - btrfs /dev/sdb rw",
        "false, 36, 300, 36 35 0:40 /@/mnt/disk /mnt/disk rw shared:1 - btrfs /dev/sda rw",
        "true, 36, 9, 36 35 0:50 /export/a /mnt/disk rw - nfs4 server:/export/a rw",
        "false, 3, 2, 36 35 8:1 / /mnt/disk rw - ext4 /dev/sdb1 rw"
    })
    void theMountedFileSystemCounts(boolean expected, int mount, long inode, String line) {
        assertThat(new MountInfo(List.of(line)).isMountPoint(status(mount, inode, true)))
                .isEqualTo(expected);
        assertThat(new MountInfo(List.of(line)).isMountPoint(status(mount, inode, false)))
                .isFalse();
    }

    private static FileStatus status(int mount, long inode, boolean mountRoot) {
        return new FileStatus(DIRECTORY, 0, 0, 0, inode, 0, mountRoot, "8:1:" + mount);
    }
}
