package io.bucketwright.local.stores;

import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Server;

/** The servers of one object store, which keeps its state in a folder of its own. */
@FunctionalInterface
public interface StoreServers {

    /** The region of every store that has one. */
    String REGION = "us-east-1";

    /** One of its servers; those that stand before it in the order of starting run already. */
    Server server(Component component);

    /** The address of a server on this machine. */
    static String url(int port) {
        return "http://127.0.0.1:" + port;
    }
}
