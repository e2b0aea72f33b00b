package io.bucketwright.runtime.engine;

/**
 * Makes a controller process with one role, or adds the role to a process that exists.
 *
 * @param <B> the builder itself
 */
public abstract class ControllerProcessBuilder<B extends ControllerProcessBuilder<B>> extends ControllerBuilder<B> {

    private final String reporter;

    /**
     * A builder with default options.
     *
     * @param reporter the controller that events name as their source; empty for a process without a role of its own
     */
    protected ControllerProcessBuilder(String reporter) {
        this.reporter = reporter;
    }

    /** Registers the controllers of the role with its context. Called once for each process. */
    protected abstract void register(ControllerContext context, ControllerProcess process);

    /** A process with this role; start it next. */
    public final ControllerProcess build() {
        ControllerProcess process = open();
        try {
            addTo(process);
            return process;
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /** Adds this role to a process that has not started. Connection, identity and status address are those of the process. */
    public final void addTo(ControllerProcess process) {
        if (!reporter.isEmpty()) {
            register(role(process, reporter), process);
        }
    }
}
