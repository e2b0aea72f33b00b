package io.bucketwright.app.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The pages about volumes name every flag. */
class VolumeDocsTest {

    @Test
    void theTwoPagesNameEveryFlag() throws IOException {
        String pages = Files.readString(Path.of("../../docs/pod-claims.md"))
                + Files.readString(Path.of("../../docs/pv-releaser.md"));
        assertThat(Stream.of(new PvcProvisionerCommand(), new PvReleaserCommand())
                        .map(CommandLine::new)
                        .flatMap(command -> command.getCommandSpec().options().stream())
                        .filter(option -> !option.usageHelp() && !option.versionHelp())
                        .map(option -> Arrays.stream(option.names())
                                .filter(name -> name.startsWith("-") && !name.startsWith("--"))
                                .findFirst()
                                .orElse(option.longestName())))
                .isNotEmpty()
                .allSatisfy(flag -> assertThat(pages).contains("`" + flag));
    }
}
