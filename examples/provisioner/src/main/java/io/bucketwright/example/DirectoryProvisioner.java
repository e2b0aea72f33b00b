package io.bucketwright.example;

import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code java … DirectoryProvisioner ROOT HOST PORT}: serves claims of classes with provisioner example.com/directory. */
public final class DirectoryProvisioner {

    private DirectoryProvisioner() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("Needs ROOT HOST PORT, where HOST is how pods reach this process");
        }
        Path root = Files.createDirectories(Path.of(arguments[0]));
        try (FileServer server = FileServer.start(root, arguments[1], Integer.parseInt(arguments[2]));
                DirectoryStore store = new DirectoryStore(root, server.endpoint());
                ControllerProcess provisioner = BucketProvisioner.builder()
                        .provisioner("example.com/directory")
                        .store(store)
                        .build()) {
            Runtime.getRuntime().addShutdownHook(new Thread(provisioner::close));
            provisioner.run();
        }
    }
}
