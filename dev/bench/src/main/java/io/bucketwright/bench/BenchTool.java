package io.bucketwright.bench;

import io.bucketwright.app.command.ToolCommand;

/** {@code bucketwright bench}. */
public final class BenchTool implements ToolCommand {

    @Override
    public String name() {
        return "bench";
    }

    @Override
    public Class<?> command() {
        return BenchCommand.class;
    }
}
