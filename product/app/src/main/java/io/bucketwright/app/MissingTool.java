package io.bucketwright.app;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for a tool of a clone in an installation without tools, such as an image. */
@Command(hidden = true, description = "Is a tool of a clone and not part of this installation.")
final class MissingTool extends BaseCommand {

    @Unmatched
    @SuppressWarnings("UnusedVariable") // whatever its arguments are
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        throw CommandException.usage(
                "`" + qualifiedName() + "` is a tool of a clone. It is not part of the image, nor of"
                        + " an installed release: run `./" + qualifiedName() + "` in a clone of the repository.");
    }
}
