package io.bucketwright.buckets.classes;

import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.AllowedOptions;
import io.bucketwright.store.options.BucketOption.OptionKey;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The StorageClass parameters of the controller. All other parameters belong to the store or are bucket options. */
public final class ClassParameters {

    public static final String BUCKET_NAME = "bucketName";
    public static final String RECLAIM_POLICY = "reclaimPolicy";
    public static final String ON_NOT_EMPTY = "onNotEmpty";
    public static final String ADOPT = "adopt";
    public static final String ADOPT_UNTAGGED = "adoptUntagged";
    public static final String ON_OPEN_BUCKET = "onOpenBucket";
    public static final String ADOPT_FROM = "adoptFrom";
    public static final String ADOPT_ORPHANS = "adoptOrphans";
    public static final String ALLOWED_BUCKET_NAMES = "allowedBucketNames";
    public static final String NAME_PREFIX = "namePrefix";
    public static final String ALLOWED_NAMESPACES = "allowedNamespaces";
    public static final String ALLOWED_OPTIONS = "allowedOptions";
    public static final String ALLOWED_BUCKET_OWNERS = "allowedBucketOwners";
    public static final String SECRET_NAME = "secretName";
    public static final String SECRET_NAMESPACE = "secretNamespace";
    public static final String SAME_STORE_AS = "sameStoreAs";
    public static final String RENAME_KEYS = "renameKeys";
    public static final String APPLICATION_SECRET_NAME = "applicationSecretName";
    public static final String APPLICATION_CONFIG_MAP_NAME = "applicationConfigMapName";
    public static final String SINGLE_SECRET = "singleSecret";
    public static final String ROTATION_OVERLAP = "rotationOverlap";
    public static final String ACCESS_MODE = "accessMode";
    public static final String PREFIX = "prefix";
    public static final String LABELS_AS_TAGS = "labelsAsTags";

    private static final Pattern NAME_PREFIX_SYNTAX =
            Pattern.compile("(\\$\\{namespace}|[a-z0-9])(\\$\\{namespace}|[a-z0-9.-])*");

    private static final ParameterSchema SCHEMA = declare();

    private static final Set<String> OPTIONS = Arrays.stream(OptionKey.values())
            .map(OptionKey::keys)
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableSet());

    private static final Set<String> OWN_NAMES = SCHEMA.names();

    private static final Set<String> NAMES =
            Stream.concat(OWN_NAMES.stream(), OPTIONS.stream()).collect(Collectors.toUnmodifiableSet());

    private ClassParameters() {}

    /** The table that validates and documents the parameters. */
    public static ParameterSchema schema() {
        return SCHEMA;
    }

    /** The names of all parameters that do not belong to the store: those of the table and of bucket options. */
    public static Set<String> names() {
        return NAMES;
    }

    /** The names in the table. */
    static Set<String> ownNames() {
        return OWN_NAMES;
    }

    static Set<String> optionNames() {
        return OPTIONS;
    }

    private static ParameterSchema declare() {
        return ParameterSchema.of(
                Parameter.optional(
                                BUCKET_NAME,
                                "An existing bucket. Every claim of the class gets its own access to it. No bucket is created or deleted.")
                        .checkedBy(BucketName::new),
                Parameter.optional(
                                RECLAIM_POLICY,
                                "What happens to a new bucket when its claim is deleted: Delete, Retain, Erase (empty the bucket and keep it) or Suspend (keep bucket and objects, revoke access). Default: the field reclaimPolicy of the class.")
                        .checkedBy(ClassParameters::policy),
                Parameter.optional(
                                ON_NOT_EMPTY,
                                "Whether the deletion of a bucket that is not empty waits (block) or deletes the objects (purge).")
                        .withDefault("block")
                        .checkedBy(OnNotEmpty::parse),
                Parameter.optional(
                                ADOPT,
                                "Names of existing buckets that a claim may adopt with bucketName: a comma-separated list of patterns with * and ${namespace}.")
                        .checkedBy(NamePatterns::ofExisting),
                Parameter.optional(
                                ADOPT_UNTAGGED,
                                "Whether buckets without an ownership tag can be adopted too; otherwise only released ones.")
                        .withDefault("false")
                        .bool(),
                Parameter.optional(
                                ON_OPEN_BUCKET,
                                "Whether the adoption of a bucket whose policy or ACL gives others access is rejected (refuse) or removes that policy and ACL (close).")
                        .withDefault("refuse")
                        .checkedBy(OnOpenBucket::parse),
                Parameter.optional(
                                ADOPT_FROM,
                                "Which released buckets a claim may adopt: SameNamespace (only those that a claim of its own namespace released) or AnyNamespace.")
                        .withDefault("SameNamespace")
                        .checkedBy(ClassParameters::anyNamespace),
                Parameter.optional(
                                ADOPT_ORPHANS,
                                "Whether a claim may also adopt a bucket whose claim in this cluster no longer exists, although nobody released the bucket. The user and the keys of the former claim are deleted. adopt and adoptFrom apply to such buckets too.")
                        .withDefault("false")
                        .bool(),
                Parameter.optional(
                                ALLOWED_BUCKET_NAMES,
                                "Names that new buckets may have: a comma-separated list of patterns with * and ${namespace}. Default: all.")
                        .checkedBy(text -> NamePatterns.parse(text).requireUnambiguous()),
                Parameter.optional(
                                NAME_PREFIX,
                                "The beginning of the names of new buckets, in which ${namespace} stands for the claim's namespace. Generated names get it; a bucketName without it is rejected.")
                        .checkedBy(ClassParameters::namePrefix),
                Parameter.optional(
                                ALLOWED_NAMESPACES,
                                "Namespaces whose claims may use the class: a comma-separated list of patterns with *. Default: all.")
                        .checkedBy(NamePatterns::parse),
                Parameter.optional(
                                ALLOWED_OPTIONS,
                                "Options that a claim may set in addition to quotas, a comma-separated list: "
                                        + "versioning, objectLock, lifecycle, policy, cors, tags, cannedAcl, prefix …; "
                                        + "store:NAME for an option that a provisioner of your own declares.")
                        .checkedBy(AllowedOptions::parse),
                Parameter.optional(
                                ALLOWED_BUCKET_OWNERS,
                                "Users of the store that a claim may name as the owner of its bucket (option bucketOwner): a comma-separated list of patterns with * and ${namespace}.")
                        .checkedBy(text -> NamePatterns.parse(text).requireUnambiguous()),
                Parameter.optional(SECRET_NAME, "The Secret with the administrator credentials of the store.")
                        .connection(),
                Parameter.optional(SECRET_NAMESPACE, "The namespace of that Secret.")
                        .connection(),
                Parameter.optional(
                        SAME_STORE_AS,
                        "Former endpoints of this store, a comma-separated list. Bound claims whose class of this name had one of them use the new endpoint, because the administrator confirms that it is the same store. For Azure: ENDPOINT/ACCOUNT."),
                Parameter.optional(
                                RENAME_KEYS,
                                "Other names for keys of Secret and ConfigMap: a comma-separated list of OLD=NEW. An empty NEW omits the key.")
                        .checkedBy(KeyRenames::parse),
                Parameter.optional(
                                APPLICATION_SECRET_NAME,
                                "The name of the Secret that applications read, in which ${name} stands for the claim's name. Default: the claim's name.")
                        .checkedBy(NameTemplate::new),
                Parameter.optional(
                                APPLICATION_CONFIG_MAP_NAME,
                                "The name of the ConfigMap that applications read, in which ${name} stands for the claim's name. Default: the claim's name.")
                        .checkedBy(NameTemplate::new),
                Parameter.optional(
                                SINGLE_SECRET,
                                "Whether the Secret holds everything that applications read, and there is no ConfigMap.")
                        .withDefault("false")
                        .bool(),
                Parameter.optional(
                                ROTATION_OVERLAP,
                                "How long the previous key stays valid after a rotation, for example 24h, 30m, 90s or 0s.")
                        .withDefault("24h")
                        .checkedBy(ClassParameters::duration),
                Parameter.optional(ACCESS_MODE, "The access that a claim gets: ReadWrite, ReadOnly or WriteOnly.")
                        .withDefault("ReadWrite")
                        .checkedBy(ClassParameters::accessMode),
                Parameter.optional(PREFIX, "Restricts access to objects whose key has this prefix."),
                Parameter.optional(LABELS_AS_TAGS, "Whether the labels of a claim become tags of its bucket.")
                        .withDefault("false")
                        .bool());
    }

    static String namePrefix(String text) {
        if (!NAME_PREFIX_SYNTAX.matcher(text).matches()) {
            throw new Invalid(InputText.quote(text) + " must be lower case letters, digits, dots, hyphens and "
                    + NamePatterns.NAMESPACE + ", starting with a letter or digit");
        }
        NamePatterns.parse(text + "*").requireUnambiguous();
        return text;
    }

    static ReclaimPolicy policy(String text) {
        return Arrays.stream(ReclaimPolicy.values())
                .filter(policy -> policy.text().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new Invalid(InputText.quote(text) + " must be Delete, Retain, Erase or Suspend"));
    }

    static boolean anyNamespace(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "samenamespace" -> false;
            case "anynamespace" -> true;
            default -> throw new Invalid(InputText.quote(text) + " must be SameNamespace or AnyNamespace");
        };
    }

    static AccessMode accessMode(String text) {
        AccessMode mode = AccessMode.parse(text);
        if (mode == AccessMode.NONE) {
            throw new Invalid("\"none\" would give the claim no access; use ReadWrite, ReadOnly or WriteOnly");
        }
        return mode;
    }

    static Duration duration(String text) {
        try {
            Duration duration = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (DateTimeParseException e) {
            // Rejected below, like a negative duration.
        }
        throw new Invalid(InputText.quote(text) + " must be a duration such as 24h, 1h30m or 0s");
    }
}
