package io.bucketwright.local.process;

import java.util.List;
import java.util.Map;

/** Removes proxies from an environment: every server of a local cluster is on this machine. */
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
