package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.api.cosi.ProvisionerReport;

import io.bucketwright.cosi.sidecar.driver.Trouble;

import io.bucketwright.cosi.sidecar.driver.Marks;


import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessPhase;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.util.Optional;

/**
 * What the sidecar reports about a BucketAccess: an annotation, because its status is the controller's.
 */
public final class AccessReport {

    private AccessReport() {}

    public static ProvisionerReport report(Trouble trouble) {
        return new ProvisionerReport(
                trouble.untilChange() ? BucketAccessPhase.FAILED : BucketAccessPhase.RETRYING,
                trouble.reason(),
                trouble.message());
    }

    /** Says it unless that is said already, then rests. */
    public static Decision<SidecarAccessStep> thenRest(BucketAccess access, Trouble trouble, Result rest) {
        boolean same = ProvisionerReport.of(access)
                .filter(report(trouble)::isSameProblem)
                .isPresent();
        return same ? Decision.finish(rest) : Decision.act(new SidecarAccessStep.Say(access, Optional.of(trouble)));
    }

    /** Takes back what was said, if anything was, then rests. */
    public static Decision<SidecarAccessStep> nothingThenRest(BucketAccess access, Result rest) {
        return Marks.annotations(access).containsKey(CosiNames.PROVISIONER_REPORT)
                ? Decision.act(new SidecarAccessStep.Say(access, Optional.empty()))
                : Decision.finish(rest);
    }
}
