package io.bucketwright.store.s3;

import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.Lifecycle.Expiration;
import io.bucketwright.store.options.BucketOption.Lifecycle.NoncurrentExpiration;
import io.bucketwright.store.options.BucketOption.Lifecycle.NoncurrentTransition;
import io.bucketwright.store.options.BucketOption.Lifecycle.UploadAbort;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;
import software.amazon.awssdk.services.s3.model.NoncurrentVersionTransition;
import software.amazon.awssdk.services.s3.model.Transition;

/** The rules of options as those of the AWS SDK. It sends no value that is not set. */
final class SdkRules {

    private SdkRules() {}

    static List<LifecycleRule> of(Lifecycle lifecycle) {
        return lifecycle.rules().stream().map(SdkRules::rule).toList();
    }

    static List<CORSRule> of(Cors cors) {
        return cors.rules().stream()
                .map(rule -> CORSRule.builder()
                        .id(rule.id().orElse(null))
                        .allowedHeaders(rule.allowedHeaders())
                        .allowedMethods(rule.allowedMethods())
                        .allowedOrigins(rule.allowedOrigins())
                        .exposeHeaders(rule.exposeHeaders())
                        .maxAgeSeconds(rule.maxAgeSeconds().orElse(null))
                        .build())
                .toList();
    }

    private static LifecycleRule rule(Lifecycle.Rule from) {
        LifecycleRule.Builder rule = LifecycleRule.builder()
                .id(from.id().orElse(null))
                .status(from.enabled() ? ExpirationStatus.ENABLED : ExpirationStatus.DISABLED)
                .filter(filter(from.filter()));
        List<Transition> transitions = new ArrayList<>();
        List<NoncurrentVersionTransition> oldTransitions = new ArrayList<>();
        for (Lifecycle.Action action : from.actions()) {
            switch (action) {
                case Expiration(var days, var date, var deleteMarkers) ->
                    rule.expiration(expiration -> expiration
                            .days(days.orElse(null))
                            .date(date.orElse(null))
                            .expiredObjectDeleteMarker(deleteMarkers.orElse(null)));
                case NoncurrentExpiration(var days, var newer) ->
                    rule.noncurrentVersionExpiration(expiration ->
                            expiration.noncurrentDays(days.orElse(null)).newerNoncurrentVersions(newer.orElse(null)));
                case UploadAbort(var days) ->
                    days.ifPresent(
                            number -> rule.abortIncompleteMultipartUpload(abort -> abort.daysAfterInitiation(number)));
                case Lifecycle.Transition(var days, var date, var storageClass) ->
                    transitions.add(Transition.builder()
                            .days(days.orElse(null))
                            .date(date.orElse(null))
                            .storageClass(storageClass.orElse(null))
                            .build());
                case NoncurrentTransition(var days, var storageClass) ->
                    oldTransitions.add(NoncurrentVersionTransition.builder()
                            .noncurrentDays(days.orElse(null))
                            .storageClass(storageClass.orElse(null))
                            .build());
            }
        }
        if (!transitions.isEmpty()) {
            rule.transitions(transitions);
        }
        if (!oldTransitions.isEmpty()) {
            rule.noncurrentVersionTransitions(oldTransitions);
        }
        return rule.build();
    }

    private static LifecycleRuleFilter filter(Lifecycle.Filter from) {
        LifecycleRuleFilter.Builder filter =
                LifecycleRuleFilter.builder().prefix(from.prefix().orElse(null));
        from.tag().ifPresent(wanted -> filter.tag(tag -> tag.key(wanted.key()).value(wanted.value())));
        from.largerThan().map(Integer::longValue).ifPresent(filter::objectSizeGreaterThan);
        from.smallerThan().map(Integer::longValue).ifPresent(filter::objectSizeLessThan);
        return filter.build();
    }
}
