package io.bucketwright.bench;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.report.BenchReport;
import io.bucketwright.bench.report.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bucketwright bench page}. */
@Command(
        name = "page",
        mixinStandardHelpOptions = true,
        description = "Writes the tables of a result of `bench --save` into a page, between its markers.")
final class PageCommand extends BaseCommand {

    @Parameters(index = "0", paramLabel = "FILE", description = "The result, as JSON.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "PAGE", description = "The page, such as docs/performance.md.")
    private Path page = Path.of("");

    @Override
    public Integer call() {
        BenchReport report = BenchReport.load(file);
        try {
            Files.writeString(page, ReportPage.withResults(Files.readString(page), report));
            return 0;
        } catch (IOException e) {
            throw new CommandException("The page " + page + " cannot be changed: " + e.getMessage() + ".", e);
        }
    }
}
