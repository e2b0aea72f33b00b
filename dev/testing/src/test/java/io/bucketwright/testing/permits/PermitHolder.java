package io.bucketwright.testing.permits;

import java.nio.file.Path;

/** A process that takes permits, says so, and holds them until it is ended. */
final class PermitHolder {

    private PermitHolder() {}

    /** The file, the number of all permits, and the number to take. */
    public static void main(String[] arguments) throws Exception {
        try (MachinePermits permits = MachinePermits.open(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
                MachinePermits.Held _ = permits.acquire(Integer.parseInt(arguments[2]), () -> {})) {
            System.out.println("held");
            int _ = System.in.read();
        }
    }
}
