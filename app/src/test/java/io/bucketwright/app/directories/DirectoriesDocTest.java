package io.bucketwright.app.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.volumes.directories.classes.DirectoryParameters;
import io.bucketwright.volumes.directories.setup.Words;
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
        return Files.readString(Path.of("../docs/directories.md"));
    }

    @Test
    void thePageHasEveryParameterAsTheCodeReadsIt() throws IOException {
        String page = page();
        assertThat(DirectoryParameters.values())
                .allSatisfy(parameter -> assertThat(page)
                        .contains("| `" + parameter.key() + "` | " + parameter.byDefault() + " | " + parameter.meaning()
                                + " |"));
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
                                Words.OWNER_UID,
                                Words.OWNER_GID,
                                List.of(
                                        Words.PROVISIONER,
                                        Words.BETA_PROVISIONER,
                                        Words.SELECTED_NODE,
                                        Words.PROVISIONED_BY,
                                        Words.FINALIZER,
                                        Words.RECLAIM_POLICY,
                                        Words.REUSE_EXISTING,
                                        Words.ROOT,
                                        Words.CLAIM_UID,
                                        Words.NODE))
                        .flatMap(List::stream))
                .allSatisfy(word -> assertThat(page).contains(word));
    }
}
