package io.bucketwright.buckets.objects;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.classes.NameTemplate;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Map;
import java.util.Set;

/**
 * The objects that an application reads: their names, and whether there is a ConfigMap at all. The claim or its class chooses
 * them before the bucket is created; they cannot be changed later, because pods reference them.
 *
 * @param singleSecret whether the Secret holds everything and there is no ConfigMap
 */
public record ApplicationObjects(String secret, String configMap, boolean singleSecret) {

    /** The options of a claim that choose them. */
    static final Set<String> OPTIONS = Set.of(
            ClassParameters.APPLICATION_SECRET_NAME,
            ClassParameters.APPLICATION_CONFIG_MAP_NAME,
            ClassParameters.SINGLE_SECRET);

    /** A Secret and a ConfigMap with the claim's name. */
    public static ApplicationObjects named(String claim) {
        return new ApplicationObjects(claim, claim, false);
    }

    /**
     * What the claim and its class choose.
     *
     * @throws Invalid if a name is not valid
     */
    public static ApplicationObjects of(ObjectBucketClaim claim, BucketClass bucketClass) {
        Map<String, String> options = claim.getSpec().options();
        String name = claim.getMetadata().getName();
        return new ApplicationObjects(
                name(options, bucketClass, ClassParameters.APPLICATION_SECRET_NAME, name),
                name(options, bucketClass, ClassParameters.APPLICATION_CONFIG_MAP_NAME, name),
                isSingle(chosen(options, bucketClass, ClassParameters.SINGLE_SECRET)));
    }

    /**
     * Rejects a change.
     *
     * @throws Invalid if the other ones differ
     */
    public void requireUnchanged(ApplicationObjects requested) {
        requireSame(ClassParameters.APPLICATION_SECRET_NAME, secret, requested.secret);
        requireSame(ClassParameters.APPLICATION_CONFIG_MAP_NAME, configMap, requested.configMap);
        requireSame(
                ClassParameters.SINGLE_SECRET,
                Boolean.toString(singleSecret),
                Boolean.toString(requested.singleSecret));
    }

    private static void requireSame(String option, String recorded, String requested) {
        if (!recorded.equals(requested)) {
            throw new Invalid("The option " + option + " cannot be changed from " + InputText.quote(recorded) + " to "
                    + InputText.quote(requested) + ", because pods reference the objects by name: restore it, or create"
                    + " a new claim");
        }
    }

    private static String name(Map<String, String> options, BucketClass bucketClass, String option, String claim) {
        String template = chosen(options, bucketClass, option);
        try {
            return template.isEmpty() ? claim : new NameTemplate(template).of(claim);
        } catch (Invalid e) {
            throw new Invalid("The option " + option + " " + e.getMessage(), e);
        }
    }

    private static boolean isSingle(String text) {
        return switch (text) {
            case "true" -> true;
            case "false", "" -> false;
            default ->
                throw new Invalid("The option " + ClassParameters.SINGLE_SECRET + " " + InputText.quote(text)
                        + " must be true or false");
        };
    }

    private static String chosen(Map<String, String> options, BucketClass bucketClass, String option) {
        String ofClaim = options.getOrDefault(option, "").strip();
        return ofClaim.isEmpty() ? bucketClass.parameters().find(option).orElse("") : ofClaim;
    }
}
