package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Optional;
import java.util.Set;

/**
 * Translates lifecycle rules from the JSON format of the S3 API, {@code {"Rules": [...]}}, to rules of Cloud Storage. A rule
 * of S3 can have several actions, a rule of Cloud Storage has one. What has no equivalent is rejected.
 */
final class LifecycleRules {

    private static final Set<String> STORAGE_CLASSES = Set.of("STANDARD", "NEARLINE", "COLDLINE", "ARCHIVE");

    private final ArrayNode rules = JsonNodeFactory.instance.arrayNode();

    private LifecycleRules() {}

    /** The field {@code lifecycle} of a bucket. */
    static ObjectNode of(String text) {
        LifecycleRules translated = new LifecycleRules();
        OptionJson.of("lifecycle", text).rules("Rules").forEach(translated::add);
        ObjectNode lifecycle = JsonNodeFactory.instance.objectNode();
        lifecycle.set("rule", translated.rules);
        return lifecycle;
    }

    private void add(OptionJson rule) {
        rule.only(
                "ID",
                "Status",
                "Prefix",
                "Filter",
                "Expiration",
                "NoncurrentVersionExpiration",
                "AbortIncompleteMultipartUpload",
                "Transitions",
                "NoncurrentVersionTransitions");
        String status = rule.find("Status").map(OptionJson::text).orElse("Enabled");
        if (!status.equals("Enabled") && !status.equals("Disabled")) {
            throw new Invalid(rule.path() + ".Status " + InputText.quote(status) + " must be Enabled or Disabled");
        }
        if (status.equals("Disabled")) {
            return;
        }
        String prefix = prefix(rule);
        int before = rules.size();
        // In S3, the expiration of a current version makes it noncurrent; "live" has the same meaning here.
        rule.find("Expiration")
                .ifPresent(expiration -> condition("Delete", prefix)
                        .put("age", days(expiration, "Days"))
                        .put("isLive", true));
        rule.find("NoncurrentVersionExpiration").ifPresent(expiration -> noncurrent(expiration, prefix));
        rule.find("AbortIncompleteMultipartUpload")
                .ifPresent(abort -> condition("AbortIncompleteMultipartUpload", prefix)
                        .put("age", days(abort, "DaysAfterInitiation")));
        rule.list("Transitions")
                .forEach(transition -> transition(transition, prefix)
                        .put("age", number(transition, "Days"))
                        .put("isLive", true));
        rule.list("NoncurrentVersionTransitions")
                .forEach(transition -> transition(transition, prefix)
                        .put("daysSinceNoncurrentTime", number(transition, "NoncurrentDays")));
        if (rules.size() == before) {
            throw new Invalid(rule.path() + " must have an action");
        }
    }

    private void noncurrent(OptionJson expiration, String prefix) {
        expiration.only("NoncurrentDays", "NewerNoncurrentVersions");
        ObjectNode condition =
                condition("Delete", prefix).put("daysSinceNoncurrentTime", number(expiration, "NoncurrentDays"));
        // Cloud Storage counts the live version too.
        expiration
                .find("NewerNoncurrentVersions")
                .ifPresent(newer -> condition.put("numNewerVersions", newer.number() + 1));
    }

    private ObjectNode transition(OptionJson transition, String prefix) {
        transition.only("Days", "NoncurrentDays", "StorageClass");
        String storageClass =
                transition.find("StorageClass").map(OptionJson::text).orElse("");
        if (!STORAGE_CLASSES.contains(storageClass)) {
            throw new Invalid(transition.path() + ".StorageClass " + InputText.quote(storageClass)
                    + " must be a storage class of Google Cloud Storage: STANDARD, NEARLINE, COLDLINE or ARCHIVE");
        }
        ObjectNode condition = condition("SetStorageClass", prefix);
        ((ObjectNode) rules.get(rules.size() - 1).path("action")).put("storageClass", storageClass);
        return condition;
    }

    /** Adds a rule, and returns its condition. */
    private ObjectNode condition(String action, String prefix) {
        ObjectNode rule = rules.addObject();
        rule.putObject("action").put("type", action);
        ObjectNode condition = rule.putObject("condition");
        if (!prefix.isEmpty()) {
            condition.putArray("matchesPrefix").add(prefix);
        }
        return condition;
    }

    private static String prefix(OptionJson rule) {
        Optional<OptionJson> filter = rule.find("Filter");
        return filter.map(found -> found.only("Prefix"))
                .orElse(rule)
                .find("Prefix")
                .map(OptionJson::text)
                .orElse("");
    }

    private static int days(OptionJson json, String field) {
        return number(json.only(field), field);
    }

    private static int number(OptionJson json, String field) {
        int days = json.find(field)
                .orElseThrow(() -> new Invalid(json.path() + " must have the field " + field))
                .number();
        if (days < 0) {
            throw new Invalid(json.path() + "." + field + " must not be negative");
        }
        return days;
    }
}
