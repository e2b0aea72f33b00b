package io.bucketwright.store.s3;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.LifecycleExpiration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;
import software.amazon.awssdk.services.s3.model.NoncurrentVersionTransition;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Transition;

/** Parses lifecycle rules in the JSON format of the S3 API, which Rook uses too: {@code {"Rules": [...]}}. */
final class LifecycleJson {

    private LifecycleJson() {}

    static List<LifecycleRule> rules(String text) {
        return OptionJson.of("lifecycle", text).rules("Rules").stream()
                .map(LifecycleJson::rule)
                .toList();
    }

    private static LifecycleRule rule(OptionJson json) {
        json.only(
                "ID",
                "Status",
                "Prefix",
                "Filter",
                "Expiration",
                "NoncurrentVersionExpiration",
                "AbortIncompleteMultipartUpload",
                "Transitions",
                "NoncurrentVersionTransitions");
        LifecycleRule.Builder rule = LifecycleRule.builder()
                .id(json.text("ID"))
                .status(json.find("Status").map(OptionJson::text).orElse("Enabled"))
                .filter(filter(json));
        json.find("Expiration").ifPresent(expiration -> rule.expiration(expiration(expiration)));
        json.find("NoncurrentVersionExpiration").ifPresent(old -> {
            old.only("NoncurrentDays", "NewerNoncurrentVersions");
            rule.noncurrentVersionExpiration(expiration -> expiration
                    .noncurrentDays(old.number("NoncurrentDays"))
                    .newerNoncurrentVersions(old.number("NewerNoncurrentVersions")));
        });
        json.find("AbortIncompleteMultipartUpload")
                .flatMap(abort -> abort.only("DaysAfterInitiation").find("DaysAfterInitiation"))
                .ifPresent(
                        days -> rule.abortIncompleteMultipartUpload(abort -> abort.daysAfterInitiation(days.number())));
        List<OptionJson> transitions = json.list("Transitions");
        if (!transitions.isEmpty()) {
            rule.transitions(transitions.stream().map(LifecycleJson::transition).toList());
        }
        List<OptionJson> oldTransitions = json.list("NoncurrentVersionTransitions");
        if (!oldTransitions.isEmpty()) {
            rule.noncurrentVersionTransitions(
                    oldTransitions.stream().map(LifecycleJson::oldTransition).toList());
        }
        return rule.build();
    }

    /** The older format has the prefix in the rule itself. A rule without filter and prefix applies to all objects. */
    private static LifecycleRuleFilter filter(OptionJson rule) {
        Optional<OptionJson> filter = rule.find("Filter");
        if (filter.isEmpty()) {
            return LifecycleRuleFilter.builder()
                    .prefix(rule.find("Prefix").map(OptionJson::text).orElse(""))
                    .build();
        }
        OptionJson json = filter.get().only("Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan");
        return LifecycleRuleFilter.builder()
                .prefix(json.text("Prefix"))
                .tag(json.find("Tag").map(LifecycleJson::tag).orElse(null))
                .objectSizeGreaterThan(size(json, "ObjectSizeGreaterThan"))
                .objectSizeLessThan(size(json, "ObjectSizeLessThan"))
                .build();
    }

    private static @Nullable Long size(OptionJson json, String field) {
        return json.find(field).map(size -> (long) size.number()).orElse(null);
    }

    private static Tag tag(OptionJson json) {
        json.only("Key", "Value");
        return Tag.builder()
                .key(json.find("Key").map(OptionJson::text).orElse(""))
                .value(json.find("Value").map(OptionJson::text).orElse(""))
                .build();
    }

    private static LifecycleExpiration expiration(OptionJson json) {
        json.only("Days", "Date", "ExpiredObjectDeleteMarker");
        return LifecycleExpiration.builder()
                .days(json.number("Days"))
                .date(date(json))
                .expiredObjectDeleteMarker(json.find("ExpiredObjectDeleteMarker")
                        .map(OptionJson::bool)
                        .orElse(null))
                .build();
    }

    private static Transition transition(OptionJson json) {
        json.only("Days", "Date", "StorageClass");
        return Transition.builder()
                .days(json.number("Days"))
                .date(date(json))
                .storageClass(json.text("StorageClass"))
                .build();
    }

    private static NoncurrentVersionTransition oldTransition(OptionJson json) {
        json.only("NoncurrentDays", "StorageClass");
        return NoncurrentVersionTransition.builder()
                .noncurrentDays(json.number("NoncurrentDays"))
                .storageClass(json.text("StorageClass"))
                .build();
    }

    private static @Nullable Instant date(OptionJson json) {
        return json.find("Date").map(LifecycleJson::instant).orElse(null);
    }

    private static Instant instant(OptionJson json) {
        try {
            return Instant.parse(json.text());
        } catch (DateTimeParseException e) {
            throw new Invalid(json.path() + " must be a time such as 2030-01-01T00:00:00Z", e);
        }
    }
}
