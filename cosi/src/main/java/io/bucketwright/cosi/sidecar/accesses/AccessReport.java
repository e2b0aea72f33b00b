package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.sidecar.driver.Trouble;

import io.bucketwright.cosi.sidecar.driver.Marks;


import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessPhase;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.util.Optional;

/**
 * What the sidecar says about a BucketAccess: an annotation, because its status is the controller's. The first word is the
 * phase that it asks for, then comes the reason, then the message.
 */
public final class AccessReport {

    private AccessReport() {}

    public static String text(Trouble trouble) {
        return beginning(trouble) + trouble.message();
    }

    /** Says it unless that is said already, then rests. */
    public static Decision<SidecarAccessStep> thenRest(BucketAccess access, Trouble trouble, Result rest) {
        String shown = Marks.annotation(access, CosiNames.PROVISIONER_MESSAGE);
        // What passes may read differently each time; that is not worth a write of its own.
        boolean same = trouble.untilChange() ? shown.equals(text(trouble)) : shown.startsWith(beginning(trouble));
        return same ? Decision.finish(rest) : Decision.act(new SidecarAccessStep.Say(access, Optional.of(trouble)));
    }

    /** Takes back what was said, if anything was, then rests. */
    public static Decision<SidecarAccessStep> nothingThenRest(BucketAccess access, Result rest) {
        return Marks.annotations(access).containsKey(CosiNames.PROVISIONER_MESSAGE)
                ? Decision.act(new SidecarAccessStep.Say(access, Optional.empty()))
                : Decision.finish(rest);
    }

    private static String beginning(Trouble trouble) {
        BucketAccessPhase phase = trouble.untilChange() ? BucketAccessPhase.FAILED : BucketAccessPhase.RETRYING;
        return phase.text() + ": " + trouble.reason() + ": ";
    }
}
