package io.bucketwright.cosi.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The mounts of volumes. Each volume is a file system in memory in a directory that no pod can
 * reach, where the adapter writes. Only the directory of its files is mounted at the target, read-only. The kernel is the
 * only record of what is mounted.
 *
 * @param directory only for the adapter; has a directory for each volume
 */
record VolumeMounts(Path directory) {

    /** The source of the adapter's mounts in the kernel's list. */
    static final String SOURCE = "bucketwright-cosi";

    private static final MountCalls CALLS = new MountCalls();
    private static final String STORE = "store";
    private static final String VIEW = "view";

    /** The file system of a volume, where the adapter writes. */
    Path store(TargetPath target) {
        return own(target).resolve(STORE);
    }

    /**
     * Whether the target is mounted. It is mounted last, so it is complete then.
     *
     * @throws IOException if something else is mounted there
     */
    boolean isPublished(TargetPath target) throws IOException {
        List<MountEntry> mounts = MountEntry.at(target.path());
        if (mounts.isEmpty()) {
            return false;
        }
        MountEntry top = mounts.getLast();
        boolean expected = isOurs(top)
                && top.readOnly()
                && top.root().equals("/" + VolumeFiles.DIRECTORY)
                && MountEntry.at(store(target)).stream()
                        .anyMatch(store -> store.device().equals(top.device()));
        if (!expected) {
            throw new IOException("The mount at " + target + " is not the read-only view of a volume of this adapter."
                    + " Delete the pod and create it again.");
        }
        return true;
    }

    /** Mounts an empty file system for the volume, which nothing but the adapter can reach. */
    void create(TargetPath target) throws IOException {
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(VolumeFiles.permissions("rwx------")));
        remove(own(target));
        Files.createDirectories(store(target));
        CALLS.mountTmpfs(
                SOURCE,
                store(target),
                MountCalls.NO_SUID | MountCalls.NO_DEVICES | MountCalls.NO_EXEC,
                "size=8m,nr_inodes=4096,mode=0700");
    }

    /**
     * Mounts the files of the volume at the target. They are first mounted read-only elsewhere, because the option of a
     * mount that exists already is not propagated to the kubelet's mount namespace.
     */
    void publish(TargetPath target) throws IOException {
        Path view = Files.createDirectories(own(target).resolve(VIEW));
        CALLS.bind(store(target).resolve(VolumeFiles.DIRECTORY), view);
        CALLS.remountBound(
                view, MountCalls.READ_ONLY | MountCalls.NO_SUID | MountCalls.NO_DEVICES | MountCalls.NO_EXEC);
        target.create();
        CALLS.bind(view, target.path());
        unmount(view);
        if (!isPublished(target)) {
            throw new IOException("Nothing is mounted at " + target + " after mount(2).");
        }
    }

    /** Unmounts the volume and removes its directories. Fails on mounts of others. */
    void remove(TargetPath target) throws IOException {
        unmount(target.path());
        target.remove();
        remove(own(target));
    }

    private void remove(Path own) throws IOException {
        for (String name : List.of(VIEW, STORE)) {
            unmount(own.resolve(name));
            Files.deleteIfExists(own.resolve(name));
        }
        Files.deleteIfExists(own);
    }

    private Path own(TargetPath target) {
        return directory.resolve(target.pod() + "~" + target.volume());
    }

    private static void unmount(Path path) throws IOException {
        List<MountEntry> mounts = MountEntry.at(path);
        while (!mounts.isEmpty()) {
            if (!isOurs(mounts.getLast())) {
                throw new IOException(
                        "A mount at " + path + " was not created by the adapter, so it is not unmounted.");
            }
            CALLS.unmount(path);
            mounts = MountEntry.at(path);
        }
    }

    private static boolean isOurs(MountEntry mount) {
        return mount.type().equals("tmpfs") && mount.source().equals(SOURCE);
    }
}
