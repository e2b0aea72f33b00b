package io.bucketwright.cosi.adapter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** Mounts in memory, by mount(8) and umount(8). The kernel is the only record of what is mounted. */
final class TmpfsMounts {

    /** The source of the adapter's mounts in the kernel's list. */
    static final String SOURCE = "bucketwright-cosi";

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Path LIST = Path.of("/proc/self/mountinfo");
    private static final int MOUNT_POINT = 4;

    /** Whether the target is a mount of the adapter. */
    boolean isOurs(TargetPath target) throws IOException {
        return find(target).stream().anyMatch(TmpfsMounts::isOurs);
    }

    /** Whether anything at all is mounted there. */
    boolean isAny(TargetPath target) throws IOException {
        return !find(target).isEmpty();
    }

    /** Puts an empty folder in memory over the target; with a group, only root and that group may enter. */
    void mount(TargetPath target, OptionalInt group) throws IOException, InterruptedException {
        String access = group.isPresent() ? "mode=0750,gid=" + group.getAsInt() : "mode=0755";
        run(List.of("mount", "-t", "tmpfs", "-o", "size=4m,nosuid,nodev,noexec," + access, SOURCE, target.toString()));
    }

    /** Unmounts mounts of the adapter; fails on others. */
    void unmount(TargetPath target) throws IOException, InterruptedException {
        while (isAny(target)) {
            if (!isOurs(target)) {
                throw new IOException(
                        "A mount at " + target + " was not created by the adapter, so it is not unmounted.");
            }
            run(List.of("umount", target.toString()));
        }
    }

    private static List<String> find(TargetPath target) throws IOException {
        String wanted = escaped(target.toString());
        return Files.readAllLines(LIST).stream()
                .filter(line -> Arrays.stream(line.split(" ", -1))
                        .skip(MOUNT_POINT)
                        .findFirst()
                        .filter(wanted::equals)
                        .isPresent())
                .toList();
    }

    /** After a lone hyphen come the type and the source. */
    private static boolean isOurs(String line) {
        int hyphen = line.indexOf(" - ");
        return hyphen >= 0 && line.substring(hyphen).startsWith(" - tmpfs " + SOURCE + " ");
    }

    private static String escaped(String path) {
        return path.replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command.getFirst() + " did not end within " + PATIENCE);
        }
        if (process.exitValue() != 0) {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            throw new IOException(command.getFirst() + " failed with " + process.exitValue() + ": " + said
                    + ". The adapter needs root and a mount namespace that kubelet shares.");
        }
    }
}
