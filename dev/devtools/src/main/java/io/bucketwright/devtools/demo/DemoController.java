package io.bucketwright.devtools.demo;

import java.util.List;

/**
 * A controller as a process.
 *
 * @param name one of the names of controllers of a local cluster
 * @param arguments the command and its flags, without those that select the cluster
 */
record DemoController(String name, List<String> arguments) {

    DemoController {
        arguments = List.copyOf(arguments);
    }
}
