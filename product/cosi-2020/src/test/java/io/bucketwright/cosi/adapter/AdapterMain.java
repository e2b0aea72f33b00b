package io.bucketwright.cosi.adapter;

import io.bucketwright.runtime.engine.ControllerProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

/** The adapter as a process of its own, for the node's namespaces; it ends when its input does. */
final class AdapterMain {

    private AdapterMain() {}

    public static void main(String[] arguments) throws IOException {
        try (ControllerProcess _ = CosiAdapter.builder()
                .kubeconfig(Path.of(arguments[0]))
                .kubelet(Path.of(arguments[1]))
                .node(arguments[2])
                .patience(Duration.ofSeconds(Long.parseLong(arguments[3])))
                .build()
                .start()) {
            System.out.println("serving");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
