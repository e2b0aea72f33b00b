package io.bucketwright.store.s3;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
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
        OptionJson json = OptionJson.of("lifecycle", text);
        List<OptionJson> rules =
                json.node().isArray() ? json.elements() : json.only("Rules").list("Rules");
        if (rules.isEmpty()) {
            throw new Invalid("lifecycle must have at least one rule");
        }
        return rules.stream().map(LifecycleJson::rule).toList();
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
                .status(json.find("Status").map(OptionJson::text).orElse("Enabled"))
                .filter(filter(json));
        json.find("ID").ifPresent(id -> rule.id(id.text()));
        json.find("Expiration").ifPresent(expiration -> rule.expiration(expiration(expiration)));
        json.find("NoncurrentVersionExpiration").ifPresent(old -> {
            old.only("NoncurrentDays", "NewerNoncurrentVersions");
            rule.noncurrentVersionExpiration(expiration -> {
                old.find("NoncurrentDays").ifPresent(days -> expiration.noncurrentDays(days.number()));
                old.find("NewerNoncurrentVersions")
                        .ifPresent(count -> expiration.newerNoncurrentVersions(count.number()));
            });
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
        LifecycleRuleFilter.Builder filter = LifecycleRuleFilter.builder();
        OptionJson json = rule.find("Filter").orElse(rule);
        if (!json.equals(rule)) {
            json.only("Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan");
            json.find("Tag").ifPresent(tag -> filter.tag(tag(tag)));
            json.find("ObjectSizeGreaterThan").ifPresent(size -> filter.objectSizeGreaterThan((long) size.number()));
            json.find("ObjectSizeLessThan").ifPresent(size -> filter.objectSizeLessThan((long) size.number()));
        }
        boolean byPrefix = json.equals(rule) || json.find("Prefix").isPresent();
        if (byPrefix) {
            filter.prefix(json.find("Prefix").map(OptionJson::text).orElse(""));
        }
        return filter.build();
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
        LifecycleExpiration.Builder expiration = LifecycleExpiration.builder();
        json.find("Days").ifPresent(days -> expiration.days(days.number()));
        json.find("Date").ifPresent(date -> expiration.date(instant(date)));
        json.find("ExpiredObjectDeleteMarker").ifPresent(marker -> expiration.expiredObjectDeleteMarker(marker.bool()));
        return expiration.build();
    }

    private static Transition transition(OptionJson json) {
        json.only("Days", "Date", "StorageClass");
        Transition.Builder transition = Transition.builder();
        json.find("Days").ifPresent(days -> transition.days(days.number()));
        json.find("Date").ifPresent(date -> transition.date(instant(date)));
        json.find("StorageClass").ifPresent(storageClass -> transition.storageClass(storageClass.text()));
        return transition.build();
    }

    private static NoncurrentVersionTransition oldTransition(OptionJson json) {
        json.only("NoncurrentDays", "StorageClass");
        NoncurrentVersionTransition.Builder transition = NoncurrentVersionTransition.builder();
        json.find("NoncurrentDays").ifPresent(days -> transition.noncurrentDays(days.number()));
        json.find("StorageClass").ifPresent(storageClass -> transition.storageClass(storageClass.text()));
        return transition.build();
    }

    private static Instant instant(OptionJson json) {
        try {
            return Instant.parse(json.text());
        } catch (DateTimeParseException e) {
            throw new Invalid(json.path() + " must be a time such as 2030-01-01T00:00:00Z", e);
        }
    }
}
