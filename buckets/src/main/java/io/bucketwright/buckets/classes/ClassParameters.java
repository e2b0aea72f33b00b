package io.bucketwright.buckets.classes;

import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.options.OptionKey;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parameters of a StorageClass that belong to the controller; all others are the store's, or options of buckets. */
public final class ClassParameters {

    public static final String BUCKET_NAME = "bucketName";
    public static final String RECLAIM_POLICY = "reclaimPolicy";
    public static final String ON_NOT_EMPTY = "onNotEmpty";
    public static final String ADOPT = "adopt";
    public static final String ADOPT_UNMARKED = "adoptUnmarked";
    public static final String ALLOWED_NAMESPACES = "allowedNamespaces";
    public static final String ALLOWED_OPTIONS = "allowedOptions";
    public static final String SECRET_NAME = "secretName";
    public static final String SECRET_NAMESPACE = "secretNamespace";
    public static final String RENAME_KEYS = "renameKeys";
    public static final String ROTATION_OVERLAP = "rotationOverlap";
    public static final String ACCESS_MODE = "accessMode";
    public static final String PREFIX = "prefix";
    public static final String LABELS_AS_TAGS = "labelsAsTags";

    private static final ParameterSchema SCHEMA = declare();

    private static final Set<String> OPTIONS = Arrays.stream(OptionKey.values())
            .map(OptionKey::keys)
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableSet());

    private ClassParameters() {}

    /** The table: what checks a class and what documents it. */
    public static ParameterSchema schema() {
        return SCHEMA;
    }

    /** All names that are not the store's: the table's and those of bucket options. */
    public static Set<String> names() {
        return Stream.concat(SCHEMA.names().stream(), OPTIONS.stream()).collect(Collectors.toUnmodifiableSet());
    }

    static Set<String> optionNames() {
        return OPTIONS;
    }

    private static ParameterSchema declare() {
        return ParameterSchema.of(
                Parameter.optional(
                                BUCKET_NAME,
                                "An existing bucket. Every claim of the class gets access of its own to it; none is made, none deleted.")
                        .checkedBy(BucketName::new),
                Parameter.optional(
                                RECLAIM_POLICY,
                                "What becomes of a new bucket when its claim goes: Delete, Retain, Erase (empty and keep) or Suspend (keep all, withdraw access). Without it, the class's own field counts.")
                        .checkedBy(ClassParameters::policy),
                Parameter.optional(
                                ON_NOT_EMPTY,
                                "Whether deleting a bucket that holds something waits (block) or empties it (purge).")
                        .withDefault("block")
                        .checkedBy(OnNotEmpty::parse),
                Parameter.optional(
                                ADOPT,
                                "Names of existing buckets that a claim may take over by bucketName, with * and ${namespace}, separated by commas.")
                        .checkedBy(NamePatterns::parse),
                Parameter.optional(
                                ADOPT_UNMARKED,
                                "Whether also buckets that bear no mark of ours may be adopted; without it, only released ones.")
                        .withDefault("false")
                        .bool(),
                Parameter.optional(
                                ALLOWED_NAMESPACES,
                                "Namespaces whose claims may use the class, with *, separated by commas; all if absent.")
                        .checkedBy(NamePatterns::parse),
                Parameter.optional(
                                ALLOWED_OPTIONS,
                                "Options that a claim may set beside quotas, separated by commas: "
                                        + "versioning, objectLock, lifecycle, policy, cors, tags, cannedAcl, prefix …")
                        .checkedBy(AllowedOptions::parse),
                Parameter.optional(SECRET_NAME, "The Secret with the administrator's credentials for the store."),
                Parameter.optional(SECRET_NAMESPACE, "The namespace of that Secret."),
                Parameter.optional(
                                RENAME_KEYS,
                                "Other names for keys of Secret and ConfigMap: OLD=NEW, separated by commas; an empty NEW leaves a key out.")
                        .checkedBy(KeyRenames::parse),
                Parameter.optional(
                                ROTATION_OVERLAP,
                                "How long the old key stays valid after a rotation: 24h, 30m, 90s or 0s.")
                        .withDefault("24h")
                        .checkedBy(ClassParameters::duration),
                Parameter.optional(ACCESS_MODE, "What a claim's principal may do: ReadWrite, ReadOnly or WriteOnly.")
                        .withDefault("ReadWrite")
                        .checkedBy(ClassParameters::accessMode),
                Parameter.optional(PREFIX, "Access only to objects whose key begins so."),
                Parameter.optional(LABELS_AS_TAGS, "Whether labels of a claim become tags of its bucket.")
                        .withDefault("false")
                        .bool());
    }

    static ReclaimPolicy policy(String text) {
        return Arrays.stream(ReclaimPolicy.values())
                .filter(policy -> policy.text().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new Invalid(InputText.quote(text) + " must be Delete, Retain, Erase or Suspend"));
    }

    static AccessMode accessMode(String text) {
        AccessMode mode = AccessMode.parse(text);
        if (mode == AccessMode.NONE) {
            throw new Invalid("\"none\" would leave the claim without access; use ReadWrite, ReadOnly or WriteOnly");
        }
        return mode;
    }

    static Duration duration(String text) {
        try {
            Duration duration = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (DateTimeParseException notOne) {
            // Refused below, like a negative one.
        }
        throw new Invalid(InputText.quote(text) + " must be a duration such as 24h, 1h30m or 0s");
    }
}
