package io.bucketwright.app;

import io.bucketwright.app.claim.BucketCommand;
import io.bucketwright.app.claim.ClaimCommand;
import io.bucketwright.app.command.CommandGroup;
import io.bucketwright.app.command.ToolCommand;
import io.bucketwright.app.controller.ControllerCommand;
import io.bucketwright.app.cosi.CosiCommand;
import io.bucketwright.app.directories.DirectoryCommand;
import io.bucketwright.app.directories.DirectoryProvisionerCommand;
import io.bucketwright.app.doctor.DoctorCommand;
import io.bucketwright.app.options.LogOptions;
import io.bucketwright.app.volumes.PvReleaserCommand;
import io.bucketwright.app.volumes.PvcProvisionerCommand;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;

/** {@code bucketwright}: the top-level command. */
@Command(
        name = "bucketwright",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = "Provisions buckets and volumes on Kubernetes.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:Success", "1:The command failed", "2:The command line is not valid"},
        footer = {
            "",
            "Each flag can also be set by an environment variable, such as BUCKETWRIGHT_LOG_LEVEL for --log-level."
        })
final class BucketwrightCommand extends CommandGroup {

    private static final String DIRECTORY = "directory";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli calls its setters
    private LogOptions log = new LogOptions();

    /** The command with all subcommands. */
    static CommandLine withSubcommands() {
        CommandLine command = new CommandLine(new BucketwrightCommand());
        Map<String, Class<?>> tools = tools();
        subcommands().forEach((name, type) -> add(command, name, tool(name, type, tools)));
        return command;
    }

    /**
     * The command with what it needs to run these arguments. picocli reads the annotations of a command when it is added,
     * and no process needs those of all commands.
     */
    static CommandLine withSubcommandsFor(String... arguments) {
        @Nullable Class<?> only = arguments.length == 0 ? null : subcommands().get(arguments[0]);
        if (only == null || only == HelpCommand.class || only == GenerateCompletion.class) {
            return withSubcommands();
        }
        CommandLine command = new CommandLine(new BucketwrightCommand());
        add(command, arguments[0], only == MissingTool.class ? tool(arguments[0], only, tools()) : only);
        return command;
    }

    /** A tool takes the place of one that is missing, and of no other command. */
    private static Class<?> tool(String name, Class<?> type, Map<String, Class<?>> tools) {
        return type == MissingTool.class ? tools.getOrDefault(name, type) : type;
    }

    /** The commands that only a clone has. */
    private static Map<String, Class<?>> tools() {
        Map<String, Class<?>> tools = new HashMap<>();
        for (ToolCommand tool : ServiceLoader.load(ToolCommand.class)) {
            tools.put(tool.name(), tool.command());
        }
        return tools;
    }

    private static void add(CommandLine command, String name, Class<?> type) {
        command.addSubcommand(name, type);
        if (name.equals(DIRECTORY)) {
            // The same command as directory-provisioner; an annotation can give it only one name.
            Objects.requireNonNull(command.getSubcommands().get(name))
                    .addSubcommand(
                            "provisioner",
                            new CommandLine(new DirectoryProvisionerCommand()).setCommandName("provisioner"));
        }
    }

    /** In the order of the help, with places for tools. */
    private static Map<String, Class<?>> subcommands() {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        types.put("demo", MissingTool.class);
        types.put("local", MissingTool.class);
        types.put("controller", ControllerCommand.class);
        types.put("claim", ClaimCommand.class);
        types.put("bucket", BucketCommand.class);
        types.put("cosi", CosiCommand.class);
        types.put(DIRECTORY, DirectoryCommand.class);
        types.put("directory-provisioner", DirectoryProvisionerCommand.class);
        types.put("pvc-provisioner", PvcProvisionerCommand.class);
        types.put("pv-releaser", PvReleaserCommand.class);
        types.put("crds", CrdsCommand.class);
        types.put("doctor", DoctorCommand.class);
        types.put("image", MissingTool.class);
        types.put("bench", MissingTool.class);
        types.put("generate-completion", GenerateCompletion.class);
        types.put("help", HelpCommand.class);
        return types;
    }
}
