package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.Lifecycle.Expiration;
import io.bucketwright.store.options.BucketOption.Lifecycle.NoncurrentExpiration;
import io.bucketwright.store.options.BucketOption.Lifecycle.NoncurrentTransition;
import io.bucketwright.store.options.BucketOption.Lifecycle.Transition;
import io.bucketwright.store.options.BucketOption.Lifecycle.UploadAbort;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Translates the rules of options to those of Cloud Storage. A lifecycle rule of S3 can have several actions, one of Cloud
 * Storage has one. What has no equivalent is rejected.
 */
final class StorageRules {

    private static final Set<String> STORAGE_CLASSES = Set.of("STANDARD", "NEARLINE", "COLDLINE", "ARCHIVE");

    private StorageRules() {}

    /** The field {@code lifecycle} of a bucket. */
    static ObjectNode of(Lifecycle lifecycle) {
        ObjectNode field = JsonNodeFactory.instance.objectNode();
        ArrayNode rules = field.putArray("rule");
        for (Lifecycle.Rule rule : lifecycle.rules()) {
            if (rule.enabled() && rule.actions().isEmpty()) {
                throw new Invalid("lifecycle: a rule must have an action");
            }
            if (rule.enabled()) {
                String prefix = prefix(rule.filter());
                rule.actions().forEach(action -> add(rules.addObject(), action, prefix));
            }
        }
        return field;
    }

    private static void add(ObjectNode rule, Lifecycle.Action from, String prefix) {
        ObjectNode action = rule.putObject("action");
        ObjectNode condition = rule.putObject("condition");
        if (!prefix.isEmpty()) {
            condition.putArray("matchesPrefix").add(prefix);
        }
        switch (from) {
            // In S3, the expiration of a current version makes it noncurrent; "live" has the same meaning here.
            case Expiration(var days, var date, var deleteMarkers) -> {
                reject("Date", date);
                reject("ExpiredObjectDeleteMarker", deleteMarkers);
                action.put("type", "Delete");
                condition.put("age", require("Days", days)).put("isLive", true);
            }
            case NoncurrentExpiration(var days, var newer) -> {
                action.put("type", "Delete");
                condition.put("daysSinceNoncurrentTime", require("NoncurrentDays", days));
                // Cloud Storage counts the live version too.
                newer.ifPresent(number -> condition.put("numNewerVersions", number + 1));
            }
            case UploadAbort(var days) -> {
                action.put("type", "AbortIncompleteMultipartUpload");
                condition.put("age", require("DaysAfterInitiation", days));
            }
            case Transition(var days, var date, var storageClass) -> {
                reject("Date", date);
                transition(action, storageClass.orElse(""));
                condition.put("age", require("Days", days)).put("isLive", true);
            }
            case NoncurrentTransition(var days, var storageClass) -> {
                transition(action, storageClass.orElse(""));
                condition.put("daysSinceNoncurrentTime", require("NoncurrentDays", days));
            }
        }
    }

    private static void transition(ObjectNode action, String storageClass) {
        if (!STORAGE_CLASSES.contains(storageClass)) {
            throw new Invalid("lifecycle: StorageClass " + InputText.quote(storageClass)
                    + " must be a storage class of Google Cloud Storage: STANDARD, NEARLINE, COLDLINE or ARCHIVE");
        }
        action.put("type", "SetStorageClass").put("storageClass", storageClass);
    }

    private static String prefix(Lifecycle.Filter filter) {
        reject("Tag", filter.tag());
        reject("ObjectSizeGreaterThan", filter.largerThan());
        reject("ObjectSizeLessThan", filter.smallerThan());
        return filter.prefix().orElse("");
    }

    private static void reject(String field, Optional<?> value) {
        if (value.isPresent()) {
            throw new Invalid("lifecycle has the field " + field + ", which Google Cloud Storage does not support");
        }
    }

    private static int require(String field, Optional<Integer> value) {
        return value.orElseThrow(() -> new Invalid("lifecycle: an action must have the field " + field));
    }

    /** The field {@code cors} of a bucket. */
    static ArrayNode of(Cors cors) {
        ArrayNode rules = JsonNodeFactory.instance.arrayNode();
        for (Cors.Rule rule : cors.rules()) {
            ObjectNode translated = rules.addObject();
            rule.allowedOrigins().forEach(translated.putArray("origin")::add);
            rule.allowedMethods().forEach(translated.putArray("method")::add);
            // One list here has both the headers of requests and those of responses.
            TreeSet<String> headers = new TreeSet<>(rule.allowedHeaders());
            headers.addAll(rule.exposeHeaders());
            if (!headers.isEmpty()) {
                headers.forEach(translated.putArray("responseHeader")::add);
            }
            rule.maxAgeSeconds().ifPresent(seconds -> translated.put("maxAgeSeconds", seconds));
        }
        return rules;
    }
}
