package io.bucketwright.store.s3;

import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.s3.identity.AccessPolicy;
import java.util.List;

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
    static void check(String json, PrincipalName own) {
        OptionJson document = OptionJson.of("policy", json).only("Version", "Statement");
        OptionJson statements =
                document.find("Statement").orElseThrow(() -> new Invalid("policy must have the field Statement"));
        for (OptionJson statement : statements.oneOrMore()) {
            statement.only("Sid", "Effect", "Principal", "Action", "Resource", "Condition");
            boolean everybody = isEverybody(statement, own);
            if (!"Allow".equals(statement.text("Effect")) && everybody) {
                throw new Invalid("policy.Statement denies access to everybody, which would bind the administrator too:"
                        + " deny access only to " + own);
            }
            actions(statement).forEach(TenantPolicy::checkAction);
        }
    }

    private static boolean isEverybody(OptionJson statement, PrincipalName own) {
        OptionJson principal = statement
                .find("Principal")
                .orElseThrow(() -> new Invalid("policy.Statement must have the field Principal"));
        List<OptionJson> names = principal.node().isString()
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

    private static List<OptionJson> actions(OptionJson statement) {
        return statement
                .find("Action")
                .orElseThrow(() -> new Invalid("policy.Statement must have the field Action"))
                .oneOrMore();
    }

    private static void checkAction(OptionJson action) {
        if (!AccessPolicy.isPrincipalAction(action.text())) {
            throw new Invalid("policy.Statement.Action " + InputText.quote(action.text())
                    + " is not allowed in a claim: list actions on objects by name, without wildcards");
        }
    }
}
