package io.bucketwright.app.options;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.engine.Kubeconfig;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.NamedExtension;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import picocli.CommandLine.Option;

/** Selects the cluster, as kubectl does. */
public final class ApiServerOptions {

    /** Extensions of a kubeconfig are for the programs that wrote them. */
    @JsonIgnoreProperties("extension")
    private static final class WithoutExtension {}

    /** A server on a loaded machine may need seconds for a TLS handshake; one that refuses connections fails at once. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final String UNAUTHORIZED =
            "Unauthorized: the API server rejected the credentials in the kubeconfig. Check --kubeconfig and --context.";
    private static final String RETRYING = "{} Retrying; the process is not ready until then.";

    @Option(
            names = {"--kubeconfig", "-kubeconfig"},
            paramLabel = "FILE",
            description = "Path of the kubeconfig (default: the pod's service account, otherwise the file that kubectl"
                    + " uses).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of the kubeconfig (default: its current context).")
    private @Nullable String context;

    /**
     * The configuration that the flags select.
     *
     * @throws CommandException if the kubeconfig cannot be read, or has no such context
     */
    public Config config() {
        ignoreExtensions();
        try {
            return new Kubeconfig(kubeconfig, context).load();
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()), e);
        }
    }

    /** To read extensions of a kubeconfig, the client would load every kind of object that it knows. */
    @SuppressWarnings("deprecation") // there is no other way to the mapper that the client parses kubeconfigs with
    private static void ignoreExtensions() {
        Serialization.jsonMapper().addMixIn(NamedExtension.class, WithoutExtension.class);
    }

    /** The value of --kubeconfig. */
    public Optional<Path> kubeconfig() {
        return Optional.ofNullable(kubeconfig);
    }

    /** Uses this kubeconfig, for a command that has another flag for it, or none. */
    public void useKubeconfig(Path file) {
        kubeconfig = file;
    }

    /** Uses this context of the default kubeconfig. */
    public void useContext(String name) {
        context = name;
    }

    /** Connects a process to the API server that the flags select. */
    public <B extends ControllerProcessBuilder<B>> B connect(B builder) {
        if (kubeconfig != null) {
            builder.kubeconfig(kubeconfig);
        }
        if (context != null) {
            builder.context(context);
        }
        return builder;
    }

    /** The namespace of the pod or of the kubeconfig's context. */
    public static String namespace(Config config) {
        @Nullable String known = config.getNamespace();
        return known == null || known.isBlank() ? "default" : known;
    }

    /**
     * Reports in one sentence that the API server cannot be reached, and returns: a process that runs controllers retries, and
     * is not ready until then. The connection of the process is used, which needs it next anyway.
     *
     * @throws CommandException if the API server rejects the credentials
     */
    public static void reportUnreachable(ControllerProcess process, Config config, Logger log) {
        try {
            int status = process.requestVersion(TIMEOUT);
            if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
                throw new CommandException(UNAUTHORIZED);
            }
            if (status != HttpURLConnection.HTTP_OK) {
                log.warn(RETRYING, unreachable(config, "it answered " + status));
            }
        } catch (IOException e) {
            log.warn(RETRYING, unreachable(config, rootCause(e)));
        }
    }

    /**
     * A client of the API server that the flags select. For commands that answer a question and end.
     *
     * @throws CommandException if the kubeconfig cannot be read, or if the API server does not answer
     */
    public KubernetesClient open() {
        Config config = config();
        requireReachable(config);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /**
     * Fails at once if the API server cannot be reached.
     *
     * @throws CommandException if there is no answer
     */
    public void requireReachable(Config config) {
        Config impatient = new ConfigBuilder(config)
                .withConnectionTimeout((int) TIMEOUT.toMillis())
                .withRequestTimeout((int) TIMEOUT.toMillis())
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(impatient).build()) {
            client.getKubernetesVersion();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
                throw unauthorized(e);
            }
            throw new CommandException(unreachable(config, rootCause(e)), e);
        }
    }

    /** The message for status 401. */
    public static CommandException unauthorized(KubernetesClientException cause) {
        return new CommandException(UNAUTHORIZED, cause);
    }

    /** The message of the API server, on one line. */
    public static String reason(KubernetesClientException failure) {
        return Optional.ofNullable(failure.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getMessage()))
                .or(() -> Optional.ofNullable(failure.getMessage()))
                .map(message -> SafeText.line(message, Integer.MAX_VALUE))
                .orElse("no reason given");
    }

    private static String unreachable(Config config, String why) {
        return "The API server at " + config.getMasterUrl() + " cannot be reached: " + why
                + ". Check --kubeconfig and --context, and that the server is running.";
    }

    private static String rootCause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
