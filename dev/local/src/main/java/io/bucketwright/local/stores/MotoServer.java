package io.bucketwright.local.stores;

import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * moto's server. It chooses the keys of users itself, so the administrator is created in it, and only then does it
 * enforce policies. Its state is in memory: a restarted one has a new administrator.
 */
record MotoServer(Path dir, Path packages, Probe probe) implements StoreServers {

    private static final String ADMINISTRATOR = "administrator";
    private static final String POLICY =
            "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Action\":\"*\",\"Resource\":\"*\"}]}";
    private static final Pattern KEY = Pattern.compile(
            "<AccessKeyId>([^<]+)</AccessKeyId>.*<SecretAccessKey>([^<]+)</SecretAccessKey>", Pattern.DOTALL);

    @Override
    public Server server(Component component) {
        return new Server(
                component,
                port -> List.of(
                        packages.resolve("python/bin/python").toString(),
                        "-m",
                        "moto.server",
                        "-H",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port)),
                Map.of("PYTHONUNBUFFERED", "1"),
                this::isReady);
    }

    private boolean isReady(int port) {
        String url = StoreServers.url(port);
        if (!probe.ok(url + "/moto-api/data.json")) {
            return false;
        }
        iam(url, "CreateUser", "");
        iam(
                url,
                "PutUserPolicy",
                "&PolicyName=all&PolicyDocument=" + URLEncoder.encode(POLICY, StandardCharsets.UTF_8));
        Matcher key = KEY.matcher(iam(url, "CreateAccessKey", ""));
        if (!key.find()) {
            throw new LocalClusterException("moto created no access key for its administrator.");
        }
        StoreKeys.save(dir, StoreKeys.S3_VARIABLES, key.group(1), key.group(2));
        if (probe.post(url + "/moto-api/reset-auth", "0", "Content-Type", "text/plain")
                .isEmpty()) {
            throw new LocalClusterException("moto cannot be made to enforce policies.");
        }
        return true;
    }

    private String iam(String url, String action, String parameters) {
        String form = "Action=" + action + "&Version=2010-05-08&UserName=" + ADMINISTRATOR + parameters;
        // It finds the service by the scope of a signature that it does not check yet.
        return probe.post(
                        url,
                        form,
                        "Content-Type",
                        "application/x-www-form-urlencoded",
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/iam/aws4_request,"
                                + " SignedHeaders=host, Signature=none")
                .orElseThrow(() -> new LocalClusterException("moto refused " + action + " for its administrator."));
    }
}
