package io.bucketwright.app.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ArchivesCommandTest {

    @TempDir
    private Path root;

    @Test
    void anArchiveWhoseMarkerCannotBeReadIsListedWithTheProblem() throws IOException {
        new RootDirectory(root).initialize(new RootIdentity("root-1", "cluster-1"));
        Path archive = Files.createDirectory(root.resolve(".bucketwright/archive"));
        Files.writeString(archive.resolve("edited.json"), "{");
        StringWriter out = new StringWriter();
        int code = new CommandLine(new ArchivesCommand())
                .setOut(new PrintWriter(out))
                .execute("--storage-asset-root", root.toString());
        assertThat(code).isZero();
        assertThat(out.toString().lines())
                .containsExactly("edited  (cannot be restored: The marker of archive edited is not valid JSON)");
    }
}
