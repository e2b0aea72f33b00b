package io.bucketwright.store.options;

import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unsupported;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of a bucket: at most one of each kind.
 *
 * @param all the options in the order in which a store applies them
 */
public record BucketOptions(List<BucketOption> all) {

    /**
     * Checks the value.
     *
     * @throws Invalid if there are two of one kind
     */
    public BucketOptions {
        all = all.stream()
                .sorted((one, other) -> one.needs().compareTo(other.needs()))
                .toList();
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).needs() == all.get(i - 1).needs()) {
                throw new Invalid("option " + all.get(i).needs().text() + " is set twice");
            }
        }
    }

    /** No options: the store leaves all settings unchanged. */
    public static BucketOptions unmanaged() {
        return new BucketOptions(List.of());
    }

    public static BucketOptions of(BucketOption... options) {
        return new BucketOptions(List.of(options));
    }

    /**
     * Parses the options of a class or claim. {@link BucketOption.OptionKey} lists the accepted keys, including those of Rook and NooBaa.
     *
     * @throws Invalid if an option is unknown or has an invalid value; the message names it
     */
    public static BucketOptions parse(Map<String, String> options) {
        return BucketOption.OptionKey.parse(options);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public <T extends BucketOption> Optional<T> find(Class<T> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    public Set<Capability> needs() {
        return all.stream().map(BucketOption::needs).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Checks that a store supports all options.
     *
     * @throws Unsupported if it does not; the message names all unsupported options
     */
    public void requireAll(Collection<Capability> capabilities) {
        String missing = all.stream()
                .map(BucketOption::needs)
                .filter(need -> !capabilities.contains(need))
                .map(Capability::text)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new Unsupported("This store does not support the options: " + missing + ".");
        }
    }

    /**
     * Merges these options of a class with those of a claim. The lower quota wins. A claim cannot change an option that the
     * class sets. It can set another option if the class allows that kind. A {@linkplain BucketOption#isDefault() default}
     * needs no permission and no support by the store: it is dropped, unless the class sets something else.
     *
     * @throws Invalid if the class does not allow an option of the claim, or a default contradicts another option of either
     */
    public BucketOptions narrowedBy(BucketOptions claim, AllowedOptions allowed) {
        Map<Capability, BucketOption> merged = new HashMap<>();
        all.forEach(option -> merged.put(option.needs(), option));
        for (BucketOption wanted : claim.all) {
            if (wanted.isDefault()) {
                requirePossible(wanted);
                requireNoContradiction(wanted, claim.all, " of the same claim");
                continue;
            }
            allowed.require(wanted.needs());
            merged.merge(wanted.needs(), wanted.ofClaim(), (ofClass, _) -> ofClass.narrowedBy(wanted));
        }
        return new BucketOptions(List.copyOf(merged.values()));
    }

    private void requirePossible(BucketOption wanted) {
        requireNoContradiction(wanted, all, ", which is set by the class");
        for (BucketOption ofClass : all) {
            if (wanted.needs() == ofClass.needs()) {
                BucketOption _ = ofClass.narrowedBy(wanted);
            }
        }
    }

    private static void requireNoContradiction(BucketOption wanted, List<BucketOption> others, String whose) {
        for (BucketOption other : others) {
            if (wanted.isContradictedBy(other)) {
                throw new Invalid("option " + wanted.needs().text() + " contradicts the option "
                        + other.needs().text() + whose);
            }
        }
    }
}
