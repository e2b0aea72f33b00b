package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.PolicyActions;
import java.util.Map;

/**
 * An account as the driver knows it.
 *
 * @param name that it is granted with
 * @param id by which the driver revokes it; the name if the driver has issued no other
 * @param parameters of the access class
 * @param serviceAccount {@code <namespace>/<name>} of a service account that needs no keys; empty if none
 * @param authentication that the access class requests
 */
public record BackendAccount(
        String name,
        String id,
        Map<String, String> parameters,
        PolicyActions actions,
        String serviceAccount,
        AccountAuthentication authentication) {

    public BackendAccount {
        parameters = Map.copyOf(parameters);
    }
}
