package io.bucketwright.app.doctor.observation;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requests whose refusal is an observation, not an error. */
final class Requests {

    private Requests() {}

    /** Objects of a kind. A kind that the API server does not serve has none. */
    static <T extends HasMetadata> Listing<T> list(String kind, Listable<? extends KubernetesResourceList<T>> objects) {
        try {
            return Listing.of(kind, objects.list().getItems());
        } catch (KubernetesClientException e) {
            return e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                    ? Listing.of(kind, List.of())
                    : Listing.unreadable(kind, message(e));
        }
    }

    /** One object; empty if it does not exist or may not be read. */
    static <T> Optional<T> find(Supplier<@Nullable T> request) {
        try {
            return Optional.ofNullable(request.get());
        } catch (KubernetesClientException e) {
            String _ = message(e);
            return Optional.empty();
        }
    }

    /**
     * The reason that the API server gives.
     *
     * @throws CommandException if the API server rejects the credentials of the user
     */
    static String message(KubernetesClientException e) {
        if (e.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            throw ApiServerOptions.unauthorized(e);
        }
        return ApiServerOptions.reason(e);
    }
}
