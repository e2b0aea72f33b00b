package io.bucketwright.devtools;

import io.bucketwright.app.command.ToolCommand;
import io.bucketwright.devtools.local.LocalCommand;

/** {@code bucketwright local}. */
public final class LocalTool implements ToolCommand {

    @Override
    public String name() {
        return "local";
    }

    @Override
    public Class<?> command() {
        return LocalCommand.class;
    }
}
