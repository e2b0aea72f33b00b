package io.bucketwright.store.s3;

import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.OptionJson;
import io.bucketwright.store.s3.identity.AccessPolicy;
import java.util.List;
import java.util.Optional;

/**
 * Checks a bucket policy that a tenant wrote. It may give everybody, or the tenant's own principal, permissions that a
 * principal can have, and take permissions from its own principal. It must not name administrator actions, with which the
 * tenant could change ownership tags or delete the bucket, nor other principals, nor bind the administrator.
 */
final class TenantPolicy {

    private TenantPolicy() {}

    /**
     * Checks the policy.
     *
     * @throws Invalid naming the part that a tenant must not use
     */
    static void check(OptionJson document, PrincipalName own) {
        for (OptionJson statement :
                document.only("Version", "Statement").require("Statement").oneOrMore()) {
            statement.only("Sid", "Effect", "Principal", "Action", "Resource", "Condition");
            boolean everybody = isEverybody(statement, own);
            if (!statement.text("Effect").equals(Optional.of("Allow")) && everybody) {
                throw new Invalid("policy.Statement denies access to everybody, which would bind the administrator too:"
                        + " deny access only to " + own);
            }
            statement.require("Action").oneOrMore().forEach(TenantPolicy::checkAction);
        }
    }

    private static boolean isEverybody(OptionJson statement, PrincipalName own) {
        OptionJson principal = statement.require("Principal");
        List<OptionJson> names = principal.node().isTextual()
                ? List.of(principal)
                : principal.only("AWS").find("AWS").map(OptionJson::oneOrMore).orElse(List.of());
        for (OptionJson name : names) {
            String text = name.text();
            boolean isOwn = text.equals(own.text()) || (text.contains(":user/") && text.endsWith("/" + own));
            if (!text.equals("*") && !isOwn) {
                throw new Invalid("policy.Statement names the principal " + InputText.quote(text)
                        + ": a claim can only name \"*\" and " + own);
            }
        }
        return names.stream().anyMatch(name -> name.text().equals("*"));
    }

    private static void checkAction(OptionJson action) {
        if (!AccessPolicy.isPrincipalAction(action.text())) {
            throw new Invalid("policy.Statement.Action " + InputText.quote(action.text())
                    + " is not allowed in a claim: list actions on objects by name, without wildcards");
        }
    }
}
