package io.bucketwright.buckets.classes;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.regex.Pattern;

/**
 * The name of an object that a claim gets.
 *
 * @param text the name, in which <code>${name}</code> stands for the claim's name
 */
public record NameTemplate(String text) {

    private static final String CLAIM_NAME = "${name}";
    private static final int LONGEST = 253;
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern SYNTAX = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

    /**
     * Checks the value.
     *
     * @throws Invalid if no claim's name makes it the name of an object
     */
    public NameTemplate {
        check(text, text.replace(CLAIM_NAME, "x"));
    }

    /**
     * The name for that claim.
     *
     * @throws Invalid if it is too long
     */
    public String of(String claim) {
        String name = text.replace(CLAIM_NAME, claim);
        check(text, name);
        return name;
    }

    private static void check(String template, String name) {
        if (name.length() > LONGEST || !SYNTAX.matcher(name).matches()) {
            throw new Invalid(InputText.quote(template) + " must be the name of an object, in which " + CLAIM_NAME
                    + " stands for the claim's name: at most " + LONGEST
                    + " lower case letters, digits, hyphens and dots");
        }
    }
}
