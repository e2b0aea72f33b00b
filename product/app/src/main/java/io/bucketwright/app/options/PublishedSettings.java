package io.bucketwright.app.options;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the leader of the role buckets publishes in its Lease about its flags, for {@code bucketwright doctor}.
 *
 * @param provisioner in StorageClasses
 * @param store the kind of store
 * @param namespace whose claims are served; empty for all
 */
public record PublishedSettings(String provisioner, String store, Map<String, String> classDefaults, String namespace) {

    /** The version of classes that are not in a jar. */
    public static final String DEVELOPMENT = "development";

    private static final ObjectMapper JSON = new ObjectMapper();

    public PublishedSettings {
        classDefaults = Map.copyOf(classDefaults);
    }

    /** Empty for a Lease of another role, or of a version that does not publish its flags. */
    public static Optional<PublishedSettings> of(Lease lease) {
        String provisioner = value(lease, LeaseName.SERVES);
        String store = value(lease, LeaseName.STORE);
        return provisioner.isEmpty() || store.isEmpty()
                ? Optional.empty()
                : Optional.of(new PublishedSettings(
                        provisioner, store, defaults(value(lease, LeaseName.CLASS_DEFAULTS)), watchNamespace(lease)));
    }

    /** Empty if these are not arguments of the role buckets. */
    public static Optional<PublishedSettings> of(List<String> arguments) {
        if (!arguments.contains("--only=buckets")) {
            return Optional.empty();
        }
        Map<String, String> defaults = new HashMap<>();
        flags(arguments, "--class-default")
                .map(flag -> flag.split("=", 2))
                .forEach(pair -> defaults.put(pair[0], pair.length > 1 ? pair[1] : ""));
        return flags(arguments, "--provisioner")
                .findFirst()
                .map(provisioner -> new PublishedSettings(
                        provisioner,
                        flags(arguments, "--store").findFirst().orElse("s3"),
                        defaults,
                        watchNamespace(arguments)));
    }

    /** The namespace that a controller of any role serves, from its arguments; empty for all. */
    public static String watchNamespace(List<String> arguments) {
        return flags(arguments, "--namespace").findFirst().orElse("");
    }

    /** The namespace that the leader of any role serves; empty for all, or if it does not say so. */
    public static String watchNamespace(Lease lease) {
        return value(lease, LeaseName.WATCH_NAMESPACE);
    }

    private static Stream<String> flags(List<String> arguments, String name) {
        return arguments.stream()
                .filter(argument -> argument.startsWith(name + "="))
                .map(argument -> argument.substring(name.length() + 1));
    }

    /** The Helm release of the leader; empty if there is none. */
    public static String release(Lease lease) {
        return value(lease, LeaseName.RELEASE);
    }

    /** The version of the leader; empty if it does not say so, or was not built by a release. */
    public static String version(Lease lease) {
        String version = value(lease, LeaseName.VERSION);
        return version.equals(DEVELOPMENT) ? "" : version;
    }

    /** The provisioner, driver or id that the leader serves; empty if it does not say so. */
    public static String serves(Lease lease) {
        return value(lease, LeaseName.SERVES);
    }

    /** Whether both may reconcile the same claims. */
    public boolean overlaps(PublishedSettings other) {
        return provisioner.equals(other.provisioner)
                && (namespace.isEmpty() || other.namespace.isEmpty() || namespace.equals(other.namespace));
    }

    private static String value(Lease lease, String key) {
        return Metadata.annotation(lease, key);
    }

    private static Map<String, String> defaults(String json) {
        try {
            return json.isEmpty() ? Map.of() : JSON.readValue(json, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            // Somebody edited it.
            return Map.of();
        }
    }
}
