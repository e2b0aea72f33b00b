package io.bucketwright.runtime.controller;

import org.slf4j.MDC;

/** Adds the controller and the key to every log line that is written while a key is reconciled. */
final class LogContext implements AutoCloseable {

    static final String CONTROLLER = "controller";
    static final String KEY = "key";

    private LogContext() {}

    static LogContext of(String controller, Object key) {
        MDC.put(CONTROLLER, controller);
        MDC.put(KEY, key.toString());
        return new LogContext();
    }

    @Override
    public void close() {
        MDC.remove(KEY);
        MDC.remove(CONTROLLER);
    }
}
