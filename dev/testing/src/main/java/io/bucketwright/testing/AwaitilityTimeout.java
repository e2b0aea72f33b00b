package io.bucketwright.testing;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Replaces Awaitility's default timeout of ten seconds, which is too short while other tests run. */
public final class AwaitilityTimeout implements TestExecutionListener {

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        Awaitility.setDefaultTimeout(Eventually.TIMEOUT);
    }
}
