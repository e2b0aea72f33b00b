package io.bucketwright.cosi.sidecar;

import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.runtime.controller.Step;

/** Calls RevokeBucketAccess of the driver for an account of a lost access. */
record LostAccessStep(String account, DriverOrder.Revoke order, String inputs) implements Step.Call {
    /** Without the secrets. */
    @Override
    public String toString() {
        return "LostAccessStep of " + account;
    }
}
