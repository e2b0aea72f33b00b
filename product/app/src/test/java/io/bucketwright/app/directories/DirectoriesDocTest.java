package io.bucketwright.app.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.volumes.directories.DirectoryAnnotations;
import io.bucketwright.volumes.directories.classes.DirectoryParameter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** docs/directories.md tells of every flag, parameter and annotation. */
class DirectoriesDocTest {

    private static String page() throws IOException {
        return Files.readString(Path.of("../../docs/directories.md"));
    }

    @Test
    void thePageHasEveryParameterAsTheCodeReadsIt() throws IOException {
        String page = page();
        assertThat(DirectoryParameter.values())
                .allSatisfy(parameter -> assertThat(page)
                        .contains("| `" + parameter.key() + "` | " + parameter.defaultValue() + " | "
                                + parameter.meaning() + " |"));
    }

    @Test
    void thePageHasEveryFlag() throws IOException {
        String page = page();
        for (Object command : List.of(new DirectoryProvisionerCommand(), new ArchivesCommand(), new RestoreCommand())) {
            assertThat(new CommandLine(command)
                            .getCommandSpec().options().stream()
                                    .filter(option -> !option.usageHelp() && !option.versionHelp())
                                    .map(OptionSpec::names)
                                    .flatMap(Arrays::stream))
                    .allSatisfy(name -> assertThat(page).contains("`" + name));
        }
    }

    @Test
    void thePageHasEveryAnnotation() throws IOException {
        String page = page();
        assertThat(Stream.of(
                                DirectoryAnnotations.OWNER_UID,
                                DirectoryAnnotations.OWNER_GID,
                                List.of(
                                        DirectoryAnnotations.PROVISIONER,
                                        DirectoryAnnotations.BETA_PROVISIONER,
                                        DirectoryAnnotations.SELECTED_NODE,
                                        DirectoryAnnotations.PROVISIONED_BY,
                                        DirectoryAnnotations.FINALIZER,
                                        DirectoryAnnotations.RECLAIM_POLICY,
                                        DirectoryAnnotations.REUSE_EXISTING,
                                        DirectoryAnnotations.ROOT,
                                        DirectoryAnnotations.CLAIM_UID,
                                        DirectoryAnnotations.NODE))
                        .flatMap(List::stream))
                .allSatisfy(word -> assertThat(page).contains(word));
    }
}
