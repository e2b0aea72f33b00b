package io.bucketwright.local.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** The main class of a JVM that starts processes and then waits to be ended, one way or another, by a test. */
final class KilledOwner {

    private KilledOwner() {}

    public static void main(String[] arguments) throws Exception {
        Path dir = Path.of(arguments[1]);
        if (arguments[0].equals("supervise")) {
            Files.createDirectories(dir.resolve("pids"));
            Supervisor supervisor = new Supervisor(dir, List.of("pids", "closing", "log"), List.of("first", "second"));
            supervisor.guard();
            for (String name : List.of("second", "first")) {
                supervisor.launch(name, List.of("sleep", "600"), Map.of(), dir.resolve("log"));
            }
            // Not on standard output, which a killed JVM's children would keep open.
            Files.writeString(dir.resolve("log"), "started");
            new CountDownLatch(1).await();
        } else {
            new ChildProcess(dir, Map.of()).run(List.of("sh", "-c", "sleep 600 & echo $! > pid; wait"), _ -> {});
        }
    }
}
