package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.client.ApiConnection;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects a cluster, as kubectl does. The client ignores a context that does not exist, also the current one, and a file that
 * does not exist: a misspelled name would select another cluster.
 *
 * @param file null for the files that KUBECONFIG names, or else the default one, or else the service account of the pod
 * @param context null for the current one
 */
public record Kubeconfig(@Nullable Path file, @Nullable String context) {

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException with a sentence for the user if one of them is not valid, or has no such context,
     *     or none that is current
     */
    public Config load() {
        String name = name();
        Config config = parse(name);
        config.setUserAgent(ApiConnection.USER_AGENT);
        List<String> known = contexts(config);
        if (context != null && !known.contains(context)) {
            throw new IllegalArgumentException(
                    "There is no context \"" + context + "\" in the kubeconfig " + name + "; " + text(known));
        }
        // Without a kubeconfig, the service account of the pod selects the cluster.
        if (config.getCurrentContext() == null && (file != null || !known.isEmpty())) {
            throw new IllegalArgumentException(
                    "The kubeconfig " + name + " has no current context, or one that does not exist; " + text(known)
                            + " Name one of its contexts.");
        }
        return config;
    }

    /** The files, for messages. */
    private String name() {
        if (file != null) {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException("The kubeconfig " + file + " cannot be read.");
            }
            return file.toString();
        }
        Optional<String> named = Optional.ofNullable(Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_KUBECONFIG_FILE))
                .filter(text -> !text.isBlank());
        // As in kubectl, some of several files may be missing.
        if (named.isPresent()
                && Arrays.stream(named.get().split(File.pathSeparator, -1))
                        .noneMatch(path -> Files.isReadable(Path.of(path)))) {
            throw new IllegalArgumentException(
                    "The kubeconfig " + named.get() + " cannot be read. Check the environment variable KUBECONFIG.");
        }
        return String.join(File.pathSeparator, Config.getKubeconfigFilenames());
    }

    private Config parse(String name) {
        try {
            return file == null ? Config.autoConfigure(context) : Config.fromKubeconfig(context, file.toFile());
        } catch (RuntimeException e) {
            // The client does not wrap the exceptions of its YAML parser.
            throw new IllegalArgumentException("The file " + name + " is not a valid kubeconfig.", e);
        }
    }

    private static List<String> contexts(Config config) {
        @Nullable List<NamedContext> contexts = config.getContexts();
        return contexts == null
                ? List.of()
                : contexts.stream().map(NamedContext::getName).toList();
    }

    private static String text(List<String> contexts) {
        return contexts.isEmpty() ? "it has none." : "there are " + String.join(", ", contexts) + ".";
    }
}
