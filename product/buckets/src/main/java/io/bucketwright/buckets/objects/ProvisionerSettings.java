package io.bucketwright.buckets.objects;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.runtime.objects.DurationText;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one provisioner, the same for all of its claims.
 *
 * @param labels added to every object that the provisioner creates, in addition to the provisioner label
 * @param cluster the cluster id, which distinguishes clusters that use the same store
 * @param namespace the namespace whose claims are served; empty for all
 * @param reclaimOrphans whether the bucket of a claim that no longer exists is released by its reclaim policy; otherwise
 *     only its access is revoked
 * @param classDefaults class parameters for classes that do not set them
 * @param verifyInterval how often the store is asked whether it has the bucket and the user of a bound claim; zero for never
 */
public record ProvisionerSettings(
        ProvisionerName provisioner,
        Map<String, String> labels,
        Supplier<String> cluster,
        String namespace,
        boolean reclaimOrphans,
        Map<String, String> classDefaults,
        Duration verifyInterval) {

    private static final String NAME = "[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?";
    private static final Pattern LABEL_KEY = Pattern.compile("([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?" + NAME);
    private static final Duration SHORTEST_INTERVAL = Duration.ofMinutes(1);
    private static final Pattern LABEL_VALUE = Pattern.compile("(" + NAME + ")?");

    public ProvisionerSettings {
        if (labels.containsKey(ObjectBucketNames.PROVISIONER_LABEL)) {
            throw new Invalid("The label " + ObjectBucketNames.PROVISIONER_LABEL + " is reserved: remove it");
        }
        labels.forEach(ProvisionerSettings::checkLabel);
        labels = Map.copyOf(labels);
        classDefaults = Map.copyOf(classDefaults);
        if (verifyInterval.isPositive() && verifyInterval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new Invalid("The verify interval " + DurationText.of(verifyInterval) + " is too short: set at least "
                    + DurationText.of(SHORTEST_INTERVAL) + ", or 0s to disable verification. Each verification sends"
                    + " requests to the store for each bucket");
        }
    }

    /** The API server would reject every object that the provisioner creates. */
    private static void checkLabel(String key, String value) {
        if (!LABEL_KEY.matcher(key).matches() || !LABEL_VALUE.matcher(value).matches()) {
            throw new Invalid("The label " + InputText.quote(key) + ": " + InputText.quote(value)
                    + " is not valid: the key is a name of at most 63 letters, digits, dots, underscores and hyphens,"
                    + " perhaps after a DNS name and a slash, and the value is such a name or empty");
        }
    }

    /** All labels of the objects that this provisioner creates. */
    public Map<String, String> allLabels() {
        Map<String, String> all = new HashMap<>(labels);
        all.put(ObjectBucketNames.PROVISIONER_LABEL, provisioner.label());
        return Map.copyOf(all);
    }

    public String clusterId() {
        return cluster.get();
    }

    public boolean serves(String claimNamespace) {
        return namespace.isEmpty() || namespace.equals(claimNamespace);
    }

    /** Whether an intent or a class names this provisioner. */
    public boolean isProvisioner(String name) {
        return provisioner.text().equals(name);
    }

    /** The parameters of a class, with the defaults of this provisioner. */
    public Map<String, String> parameters(StorageClass storageClass) {
        @Nullable Map<String, String> ofClass = storageClass.getParameters();
        Map<String, String> parameters = new TreeMap<>(classDefaults);
        parameters.putAll(ofClass == null ? Map.of() : ofClass);
        return parameters;
    }

    public BucketOwner owner(String claimUid) {
        return new BucketOwner(clusterId(), claimUid);
    }
}
