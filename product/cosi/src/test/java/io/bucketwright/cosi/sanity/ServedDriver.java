package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.store.Stores;
import io.grpc.BindableService;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Our driver, or a broken one around it, at a socket. */
record ServedDriver(CosiDriver driver, SocketServer server) implements AutoCloseable {

    static ServedDriver none(Path folder) {
        return none(folder, driver -> driver);
    }

    static ServedDriver none(Path folder, Function<CosiDriver, BindableService> around) {
        return of(folder, "none", Map.of(), DriverCredentials.none(), around);
    }

    static ServedDriver of(
            Path folder,
            String store,
            Map<String, String> parameters,
            DriverCredentials credentials,
            Function<CosiDriver, BindableService> around) {
        Stores stores = Stores.installed();
        CosiDriver driver =
                new CosiDriver(new DriverSettings(store + ".example.com", store, parameters), stores, credentials);
        SocketPath socket = new SocketPath(folder.resolve("cosi.sock"));
        return new ServedDriver(driver, SocketServer.start(socket, services(driver, around.apply(driver))));
    }

    /** Our driver serves both protocols; a broken one around it serves one. */
    private static List<BindableService> services(CosiDriver driver, BindableService served) {
        return served == driver ? driver.services() : List.of(served);
    }

    SocketPath socket() {
        return server.socket();
    }

    @Override
    public void close() {
        server.close();
        driver.close();
    }
}
