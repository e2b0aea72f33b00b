package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.testing.sdk.BlobClient;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Azurite. Accounts are policies that are stored in a container, and end with it. */
record AttackedAzure(LocalStore server) implements AttackedStore {

    private static final Pattern CONTAINER = Pattern.compile("<Container><Name>([^<]+)</Name>");
    private static final String VERSION = "2021-12-02";

    @Override
    public Map<String, String> parameters() {
        return Map.of(
                "storageAccount", server.access().accessKeyId(),
                "endpoint", server.access().iamEndpoint());
    }

    @Override
    public Map<String, String> administrator() {
        return Map.of("AZURE_STORAGE_KEY", server.access().secretAccessKey());
    }

    @Override
    public Set<String> buckets() {
        HttpResponse<String> page =
                new BlobClient(server.access().endpoint(), accountToken()).send("GET", "?comp=list", "");
        if (page.statusCode() != 200) {
            throw new IllegalStateException("Azurite answered " + page.statusCode() + " to a list of containers");
        }
        Set<String> containers = new TreeSet<>();
        Matcher found = CONTAINER.matcher(page.body());
        while (found.find()) {
            containers.add(found.group(1));
        }
        return containers;
    }

    @Override
    public Set<String> accounts() {
        return Set.of();
    }

    @Override
    public int keysOf(String account) {
        return 1;
    }

    @Override
    public boolean works(IssuedKey key) {
        // The token alone, or behind the URL of the container.
        String token = key.secret().substring(key.secret().indexOf('?') + 1);
        BlobClient application = new BlobClient(server.access().endpoint(), token);
        String blob = key.bucket() + "/hello";
        return application.send("PUT", blob, "from " + key.bucket()).statusCode() == 201
                && application.send("GET", blob, "").body().equals("from " + key.bucket());
    }

    @Override
    public void close() {
        server.close();
    }

    /** An account SAS that lists containers. */
    private String accountToken() {
        String expiry = Instant.now()
                .plus(Duration.ofHours(1))
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        // account, permissions, services, types, start, expiry, IP addresses, protocols, version, encryption scope
        String text =
                String.join("\n", server.access().accessKeyId(), "l", "b", "s", "", expiry, "", "", VERSION, "", "");
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(
                    Base64.getDecoder().decode(server.access().secretAccessKey()), mac.getAlgorithm()));
            String signature = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
            return "sv=" + VERSION + "&ss=b&srt=s&sp=l&se=" + URLEncoder.encode(expiry, StandardCharsets.UTF_8)
                    + "&sig=" + URLEncoder.encode(signature, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
