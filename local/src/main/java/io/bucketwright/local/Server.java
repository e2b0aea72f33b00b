package io.bucketwright.local;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * How one component is started on a port, and how it shows that it is ready there.
 *
 * @param component which one
 * @param command the program and its arguments, given the port
 * @param environment what is set for it beside what is inherited
 * @param ready whether the server on this port is ready
 */
record Server(
        Component component, IntFunction<List<String>> command, Map<String, String> environment, IntPredicate ready) {}
