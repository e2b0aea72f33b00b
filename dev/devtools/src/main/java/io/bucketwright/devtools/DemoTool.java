package io.bucketwright.devtools;

import io.bucketwright.app.command.ToolCommand;
import io.bucketwright.devtools.demo.DemoCommand;

/** {@code bucketwright demo}. */
public final class DemoTool implements ToolCommand {

    @Override
    public String name() {
        return "demo";
    }

    @Override
    public Class<?> command() {
        return DemoCommand.class;
    }
}
