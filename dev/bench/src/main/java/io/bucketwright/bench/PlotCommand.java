package io.bucketwright.bench;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.bench.report.BenchReport;
import io.bucketwright.bench.report.ReportPlot;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bucketwright bench plot}. */
@Command(
        name = "plot",
        mixinStandardHelpOptions = true,
        description = "Prints a result of `bench --save` as an SVG image.")
final class PlotCommand extends BaseCommand {

    @Parameters(paramLabel = "FILE", description = "The result, as JSON.")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        out().print(ReportPlot.svg(BenchReport.load(file)));
        out().flush();
        return 0;
    }
}
