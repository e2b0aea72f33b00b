package io.bucketwright.store.options;





import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
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
 * The settings of a bucket that somebody made: at most one of each kind.
 *
 * @param all in the order in which a store should apply them
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
                throw new Invalid("option " + AllowedOptions.nameOf(all.get(i).needs()) + " is given twice");
            }
        }
    }

    /** Nothing is managed. */
    public static BucketOptions unmanaged() {
        return new BucketOptions(List.of());
    }

    public static BucketOptions of(BucketOption... options) {
        return new BucketOptions(List.of(options));
    }

    /**
     * Reads the options of a class or claim, in our own spelling and in those of Rook and NooBaa; which, says
     * {@link OptionKey}.
     *
     * @throws Invalid if one is unknown or has a bad value; the message names it
     */
    public static BucketOptions parse(Map<String, String> options) {
        return OptionKey.parse(options);
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
     * Refuses what a store cannot do.
     *
     * @throws Unsupported if one needs what the store is not capable of; the message names all such
     */
    public void requireAll(Collection<Capability> capabilities) {
        String missing = all.stream()
                .map(BucketOption::needs)
                .filter(need -> !capabilities.contains(need))
                .map(AllowedOptions::nameOf)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new Unsupported("This store cannot do: " + missing + ".");
        }
    }

    /**
     * These options of a class, and what a claim adds to them. The tighter quota wins; what the class sets, a claim
     * cannot set otherwise; what it leaves open, a claim sets if the class allows that kind.
     *
     * @throws Invalid if the claim wants what the class does not allow
     */
    public BucketOptions narrowedBy(BucketOptions claim, AllowedOptions allowed) {
        Map<Capability, BucketOption> merged = new HashMap<>();
        all.forEach(option -> merged.put(option.needs(), option));
        for (BucketOption wanted : claim.all) {
            allowed.require(wanted.needs());
            merged.merge(wanted.needs(), wanted, BucketOptions::narrow);
        }
        return new BucketOptions(List.copyOf(merged.values()));
    }

    private static BucketOption narrow(BucketOption ofClass, BucketOption ofClaim) {
        if (ofClass instanceof Quota limit && ofClaim instanceof Quota wanted) {
            return limit.narrowedBy(wanted);
        }
        if (ofClass instanceof Tags fixed && ofClaim instanceof Tags more) {
            Map<String, String> union = new HashMap<>(more.tags());
            fixed.tags().forEach((key, value) -> {
                String wanted = union.put(key, value);
                if (wanted != null && !wanted.equals(value)) {
                    throw new Invalid("tag " + InputText.quote(key) + " is set by the class and cannot be set otherwise");
                }
            });
            return new Tags(union);
        }
        if (!ofClass.equals(ofClaim)) {
            throw new Invalid("option " + AllowedOptions.nameOf(ofClass.needs())
                    + " is set by the class and cannot be set otherwise");
        }
        return ofClass;
    }
}
