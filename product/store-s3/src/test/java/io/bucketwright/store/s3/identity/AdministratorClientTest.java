package io.bucketwright.store.s3.identity;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.bucketwright.store.s3.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Lists of buckets that are longer than one part, of stores with and without parts. */
final class AdministratorClientTest {

    private static final Pattern TOKEN = Pattern.compile("continuation-token=(\\d+)");
    private static final Pattern LIMIT = Pattern.compile("max-buckets=(\\d+)");

    private final List<String> names = IntStream.range(0, 250)
            .mapToObj(i -> String.format(Locale.ROOT, "bucket-%03d", i))
            .toList();

    private final LoopbackServer server = new LoopbackServer(this::respond);
    private final AdministratorClient client;
    private boolean paged;

    AdministratorClientTest() {
        client = new AdministratorClient(S3Client.builder()
                .endpointOverride(URI.create(server.url()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret")))
                .build());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void eachBucketIsInOnePart(boolean storeHasParts) {
        paged = storeHasParts;
        List<String> listed = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        Optional<String> from = Optional.of("");
        while (from.isPresent()) {
            BucketNames part = client.list(call(), from.get());
            part.buckets().forEach(bucket -> listed.add(bucket.name()));
            sizes.add(part.buckets().size());
            from = part.next();
        }
        assertThat(listed).isEqualTo(names);
        assertThat(sizes).containsExactly(100, 100, 50);
    }

    private void respond(HttpExchange exchange) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        Matcher token = TOKEN.matcher(query);
        Matcher limit = LIMIT.matcher(query);
        int from = paged && token.find() ? Integer.parseInt(token.group(1)) : 0;
        int to = paged && limit.find() ? Math.min(names.size(), from + Integer.parseInt(limit.group(1))) : names.size();
        StringBuilder xml = new StringBuilder("<ListAllMyBucketsResult><Buckets>");
        names.subList(from, to)
                .forEach(name -> xml.append("<Bucket><Name>").append(name).append("</Name></Bucket>"));
        xml.append("</Buckets>");
        if (to < names.size()) {
            xml.append("<ContinuationToken>").append(to).append("</ContinuationToken>");
        }
        byte[] bytes = xml.append("</ListAllMyBucketsResult>").toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
