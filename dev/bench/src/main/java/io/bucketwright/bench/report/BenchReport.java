package io.bucketwright.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of one run.
 *
 * @param bucketwright version
 * @param commit of the clone that the command was built in, empty if it was installed otherwise
 * @param date when the run started, in UTC
 * @param jvm of the processes
 * @param javaOptions additional options of the JVM
 * @param workers number of workers of each controller and of the ceiling
 */
public record BenchReport(
        String bucketwright,
        String commit,
        String date,
        Machine machine,
        String jvm,
        String javaOptions,
        String kubernetes,
        int workers,
        List<SubjectReport> subjects) {

    public BenchReport {
        subjects = List.copyOf(subjects);
    }

    /** The machine that the cluster and the controllers share. */
    public record Machine(String cpu, int cores, long memoryMib) {}

    public String json() {
        try {
            return mapper().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report cannot be written as JSON", e);
        }
    }

    /**
     * Reads a report.
     *
     * @throws CommandException if the file is not a report
     */
    public static BenchReport load(Path file) {
        try {
            return mapper().readValue(file.toFile(), BenchReport.class);
        } catch (JsonProcessingException e) {
            throw new CommandException(
                    "The file " + file + " is not a report of `bucketwright bench`: " + e.getOriginalMessage() + ".",
                    e);
        } catch (IOException e) {
            throw new CommandException("The file " + file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static ObjectMapper mapper() {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    }
}
