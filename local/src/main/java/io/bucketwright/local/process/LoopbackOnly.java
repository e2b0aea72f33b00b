package io.bucketwright.local.process;

import java.util.List;
import java.util.Map;

/** Everything a local cluster talks to is on this machine; a proxy, dead or alive, has no business in between. */
final class LoopbackOnly {

    private static final List<String> PROXY_VARIABLES =
            List.of("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy");

    private LoopbackOnly() {}

    static void apply(Map<String, String> environment) {
        PROXY_VARIABLES.forEach(environment::remove);
        environment.put("NO_PROXY", "127.0.0.1,localhost,::1");
        environment.put("no_proxy", "127.0.0.1,localhost,::1");
    }
}
