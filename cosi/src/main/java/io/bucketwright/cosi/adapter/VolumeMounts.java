package io.bucketwright.cosi.adapter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The mounts of volumes, by mount(8) and umount(8). Each volume is a file system in memory in a directory that no pod can
 * reach, where the adapter writes. Only the directory of its files is mounted at the target, read-only. The kernel is the
 * only record of what is mounted.
 *
 * @param directory only for the adapter; has a directory for each volume
 */
record VolumeMounts(Path directory) {

    /** The source of the adapter's mounts in the kernel's list. */
    static final String SOURCE = "bucketwright-cosi";

    private static final Duration PATIENCE = Duration.ofSeconds(10);
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
    void create(TargetPath target) throws IOException, InterruptedException {
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(VolumeFiles.permissions("rwx------")));
        remove(own(target));
        Files.createDirectories(store(target));
        run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=8m,nr_inodes=4096,nosuid,nodev,noexec,mode=0700",
                SOURCE,
                text(store(target)));
    }

    /**
     * Mounts the files of the volume at the target. They are first mounted read-only elsewhere, because the option of a
     * mount that exists already is not propagated to the kubelet's mount namespace.
     */
    void publish(TargetPath target) throws IOException, InterruptedException {
        Path view = Files.createDirectories(own(target).resolve(VIEW));
        run("mount", "--bind", text(store(target).resolve(VolumeFiles.DIRECTORY)), text(view));
        run("mount", "-o", "remount,bind,ro,nosuid,nodev,noexec", text(view));
        target.create();
        run("mount", "--bind", text(view), target.toString());
        unmount(view);
        if (!isPublished(target)) {
            throw new IOException("Nothing is mounted at " + target + " after mount(8).");
        }
    }

    /** Unmounts the volume and removes its directories. Fails on mounts of others. */
    void remove(TargetPath target) throws IOException, InterruptedException {
        unmount(target.path());
        target.remove();
        remove(own(target));
    }

    private void remove(Path own) throws IOException, InterruptedException {
        for (String name : List.of(VIEW, STORE)) {
            unmount(own.resolve(name));
            Files.deleteIfExists(own.resolve(name));
        }
        Files.deleteIfExists(own);
    }

    private Path own(TargetPath target) {
        return directory.resolve(target.pod() + "~" + target.volume());
    }

    private static void unmount(Path path) throws IOException, InterruptedException {
        List<MountEntry> mounts = MountEntry.at(path);
        while (!mounts.isEmpty()) {
            if (!isOurs(mounts.getLast())) {
                throw new IOException(
                        "A mount at " + path + " was not created by the adapter, so it is not unmounted.");
            }
            run("umount", text(path));
            mounts = MountEntry.at(path);
        }
    }

    private static boolean isOurs(MountEntry mount) {
        return mount.type().equals("tmpfs") && mount.source().equals(SOURCE);
    }

    private static String text(Path path) {
        return path.toString();
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command[0] + " did not end within " + PATIENCE.toSeconds() + " s");
        }
        if (process.exitValue() != 0) {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            throw new IOException(command[0] + " failed with " + process.exitValue() + ": " + output
                    + ". The adapter needs root and a mount namespace that kubelet shares.");
        }
    }
}
