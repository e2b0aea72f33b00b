package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;

/**
 * The central COSI controller, in a process of its own or added to another one.
 *
 * {@snippet :
 * try (ControllerProcess process = CosiController.builder().build()) {
 *     process.run();
 * }
 * }
 */
public final class CosiController {

    /** The controller that events name as their source. */
    public static final String REPORTER = "bucketwright.io/cosi";

    private CosiController() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of the COSI controller. All of them are optional. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private Builder() {
            super(REPORTER);
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            CosiControllers.register(context, workers());
        }
    }
}
