package io.bucketwright.cosi.adapter;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The adapter as a process of its own, for the node's namespaces; it ends when its input does. */
final class AdapterMain {

    private AdapterMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (CosiAdapter _ = CosiAdapter.builder()
                .client(Config.fromKubeconfig(Files.readString(Path.of(arguments[0]))))
                .kubelet(Path.of(arguments[1]))
                .node(arguments[2])
                .patience(Duration.ofSeconds(Long.parseLong(arguments[3])))
                .start()) {
            System.out.println("serving");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
