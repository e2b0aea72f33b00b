package io.bucketwright.store.options;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses rules in the JSON format of the S3 API, which Rook uses too: an object with one list, or only the list. */
final class RuleParser {

    private RuleParser() {}

    static List<Lifecycle.Rule> lifecycle(String text) {
        return OptionJson.of("lifecycle", text).rules("Rules").stream()
                .map(RuleParser::rule)
                .toList();
    }

    static List<Cors.Rule> cors(String text) {
        return OptionJson.of("cors", text).rules("CORSRules").stream()
                .map(json -> json.only(
                        "ID", "AllowedHeaders", "AllowedMethods", "AllowedOrigins", "ExposeHeaders", "MaxAgeSeconds"))
                .map(json -> new Cors.Rule(
                        json.text("ID"),
                        json.texts("AllowedHeaders"),
                        json.texts("AllowedMethods"),
                        json.texts("AllowedOrigins"),
                        json.texts("ExposeHeaders"),
                        json.number("MaxAgeSeconds")))
                .toList();
    }

    private static Lifecycle.Rule rule(OptionJson json) {
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
        List<Lifecycle.Action> actions = new ArrayList<>();
        json.find("Expiration")
                .map(found -> found.only("Days", "Date", "ExpiredObjectDeleteMarker"))
                .ifPresent(found -> actions.add(new Lifecycle.Expiration(
                        found.number("Days"),
                        date(found),
                        found.find("ExpiredObjectDeleteMarker").map(OptionJson::bool))));
        json.find("NoncurrentVersionExpiration")
                .map(found -> found.only("NoncurrentDays", "NewerNoncurrentVersions"))
                .ifPresent(found -> actions.add(new Lifecycle.NoncurrentExpiration(
                        found.number("NoncurrentDays"), found.number("NewerNoncurrentVersions"))));
        json.find("AbortIncompleteMultipartUpload")
                .map(found -> found.only("DaysAfterInitiation"))
                .ifPresent(found -> actions.add(new Lifecycle.UploadAbort(found.number("DaysAfterInitiation"))));
        json.list("Transitions").stream()
                .map(found -> found.only("Days", "Date", "StorageClass"))
                .forEach(found -> actions.add(
                        new Lifecycle.Transition(found.number("Days"), date(found), found.text("StorageClass"))));
        json.list("NoncurrentVersionTransitions").stream()
                .map(found -> found.only("NoncurrentDays", "StorageClass"))
                .forEach(found -> actions.add(new Lifecycle.NoncurrentTransition(
                        found.number("NoncurrentDays"), found.text("StorageClass"))));
        return new Lifecycle.Rule(json.text("ID"), enabled(json), filter(json), actions);
    }

    private static boolean enabled(OptionJson rule) {
        return switch (rule.text("Status").orElse("Enabled")) {
            case "Enabled" -> true;
            case "Disabled" -> false;
            case String other ->
                throw new Invalid(rule.path() + ".Status " + InputText.quote(other) + " must be Enabled or Disabled");
        };
    }

    /** The older format has the prefix in the rule itself. A rule without filter and prefix applies to all objects. */
    private static Lifecycle.Filter filter(OptionJson rule) {
        return rule.find("Filter")
                .map(json -> json.only("Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan"))
                .map(json -> new Lifecycle.Filter(
                        json.text("Prefix"),
                        json.find("Tag").map(tag -> tag.only("Key", "Value")).map(RuleParser::tag),
                        json.number("ObjectSizeGreaterThan"),
                        json.number("ObjectSizeLessThan")))
                .orElseGet(() -> Lifecycle.Filter.prefix(rule.text("Prefix").orElse("")));
    }

    private static Lifecycle.Tag tag(OptionJson json) {
        return new Lifecycle.Tag(json.text("Key").orElse(""), json.text("Value").orElse(""));
    }

    private static Optional<Instant> date(OptionJson json) {
        return json.find("Date").map(date -> {
            try {
                return Instant.parse(date.text());
            } catch (DateTimeParseException e) {
                throw new Invalid(date.path() + " must be a time such as 2030-01-01T00:00:00Z", e);
            }
        });
    }
}
