package io.bucketwright.devtools.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs the controllers of the demo. */
sealed interface DemoControllers permits DemoProcesses, DemoPods {

    /** A folder of this machine for directories that become volumes. It is deleted with the cluster. */
    Path folder();

    /**
     * Starts the controllers of a part and waits until they are ready.
     *
     * @param commands what they are as processes
     */
    void start(DemoCluster cluster, DemoPart part, List<DemoController> commands);

    /** Stops all that were started and would not end with the cluster. */
    void stop();

    /** The logs of the controllers that were started and not stopped, the latest first. */
    Stream<Path> logs();
}
