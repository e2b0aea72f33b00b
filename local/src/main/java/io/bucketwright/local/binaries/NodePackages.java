package io.bucketwright.local.binaries;

import io.bucketwright.local.process.ChildProcess;
import io.bucketwright.local.process.Resources;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** containerd, runc, the network plugins and busybox: Debian's packages, unpacked into our cache, never installed. */
public record NodePackages(ProgramCache cache, Progress progress) {

    /** The folder they are unpacked in, fetched first if need be; its {@code images} are ready to be imported. */
    public Path provide() {
        String script = Resources.text("node/packages.sh");
        CRC32 crc = new CRC32();
        crc.update(script.getBytes(StandardCharsets.UTF_8));
        Path folder = cache.resolve("node-packages-" + HexFormat.of().toHexDigits((int) crc.getValue()));
        if (!Files.isDirectory(folder)) {
            String step = "fetch containerd, runc, network plugins and busybox from Debian (36 MB)";
            cache.locked(() -> progress.begin("wait for another process that fetches packages"), () -> {
                if (!Files.isDirectory(folder)) {
                    fetch(step, script, folder);
                }
                return folder;
            });
        }
        return folder;
    }

    private void fetch(String step, String script, Path folder) throws IOException {
        progress.begin(step);
        Path fresh = cache.resolve("work-node-packages");
        ProgramCache.remove(fresh);
        Files.createDirectories(fresh);
        new ChildProcess(fresh, Map.of("LC_ALL", "C"))
                .require(
                        List.of("sh", "-c", script, "packages.sh", fresh.toString()),
                        _ -> {},
                        _ -> "Could not " + step + "; this needs apt-get, dpkg and tar, as Debian and Ubuntu have "
                                + "them, and their package mirror.");
        Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        progress.end(step);
    }
}
