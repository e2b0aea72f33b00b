package io.bucketwright.api.cosi;

import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.client.CustomResource;
import org.jspecify.annotations.Nullable;

/** An object with a spec and a status, unlike the classes. */
public abstract class CosiResource<S> extends CustomResource<S, CosiStatus> {

    /** The status; {@link CosiStatus#NONE} if nobody has written one. */
    public CosiStatus status() {
        @Nullable CosiStatus status = getStatus();
        return status == null ? CosiStatus.NONE : status;
    }

    @Override
    @Required
    public S getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable CosiStatus getStatus() {
        return super.getStatus();
    }
}
