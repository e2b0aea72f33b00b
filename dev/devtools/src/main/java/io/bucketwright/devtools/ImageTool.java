package io.bucketwright.devtools;

import io.bucketwright.app.command.ToolCommand;
import io.bucketwright.devtools.image.ImageCommand;

/** {@code bucketwright image}. */
public final class ImageTool implements ToolCommand {

    @Override
    public String name() {
        return "image";
    }

    @Override
    public Class<?> command() {
        return ImageCommand.class;
    }
}
