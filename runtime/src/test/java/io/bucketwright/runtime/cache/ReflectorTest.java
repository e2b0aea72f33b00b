package io.bucketwright.runtime.cache;

import static io.bucketwright.runtime.cache.ListWatchServer.cut;
import static io.bucketwright.runtime.cache.ListWatchServer.events;
import static io.bucketwright.runtime.cache.ListWatchServer.eventsThenClose;
import static io.bucketwright.runtime.cache.ListWatchServer.eventsThenCut;
import static io.bucketwright.runtime.cache.ListWatchServer.json;
import static io.bucketwright.runtime.cache.ListWatchServer.lines;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.core.JsonParser;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.cache.ListWatchServer.Reply;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lists and watches of a server that sends what a server should not, and of networks that lose half of it. */
class ReflectorTest {

    @Group("test.example.org")
    @Version("v1")
    private static final class Lamp extends CustomResource<LampSpec, @Nullable Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    record LampSpec(@Nullable String colour, @JsonAnySetter Map<String, Object> others) {
        LampSpec {
            if ("broken".equals(colour)) {
                throw new IllegalArgumentException("no such colour");
            }
        }
    }

    private final ListWatchServer server = new ListWatchServer();
    private final SystemTime time = new SystemTime();
    private final ApiConnection connection = new ApiConnection(
            new ConfigBuilder(Config.empty())
                    .withAutoConfigure(false)
                    .withMasterUrl(server.url())
                    .build(),
            Keepalive.standard(),
            time,
            new SimpleMeterRegistry(),
            UnaryOperator.identity());
    private final InformerStore<Lamp> store = new InformerStore<>(UnaryOperator.identity());
    private final Reflector<Lamp> reflector = new Reflector<>(
            ResourceKind.of(Lamp.class),
            Scope.namespace("ns").labelled("app", "x").having("owner"),
            connection.lists(),
            connection.decoder(Lamp.class),
            store,
            Duration.ofMillis(10));
    private final List<String> reported = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws IOException {
        reflector.close();
        connection.close();
        server.close();
        time.close();
    }

    @Test
    void listsAllPagesThenWatchesFromTheirVersion() {
        server.list(json(200, page("10", "p2", lamp("a", 3, "red"))), json(200, page("10", "", lamp("b", 4, "red"))))
                .watch(events(
                        event("ADDED", lamp("c", 11, "red")),
                        event("MODIFIED", lamp("a", 12, "blue")),
                        event("DELETED", lamp("b", 13, "red")),
                        bookmark(20)));
        start();
        awaitVersion("20");
        assertThat(shown()).containsExactlyInAnyOrder("a 12 blue", "c 11 red");
        assertThat(reported)
                .containsExactly(
                        "changed a 3 from 3",
                        "changed b 4 from 4",
                        "changed c 11 from 11",
                        "changed a 12 from 3",
                        "deleted b 4");
        String path = "/apis/test.example.org/v1/namespaces/ns/lamps?labelSelector=app%3Dx%2Cowner&";
        assertThat(server.requests().subList(0, 2)).containsExactly(path + "limit=500", path + "limit=500&continue=p2");
        assertThat(server.requests().get(2))
                .startsWith(path + "watch=true&allowWatchBookmarks=true&timeoutSeconds=")
                .endsWith("&resourceVersion=10");
        assertThat(reflector.running()).isTrue();
        assertThat(reflector.problem()).isEmpty();
    }

    @Test
    void aWatchThatIsCutInTheMiddleOfAnEventGoesOnWhereItEnded() {
        server.list(json(200, page("10", "")))
                .watch(
                        eventsThenCut(event("ADDED", lamp("a", 11, "red")), event("ADDED", lamp("b", 12, "red"))),
                        eventsThenClose(event("ADDED", lamp("b", 12, "red"))),
                        events(event("ADDED", lamp("c", 13, "red"))));
        start();
        awaitVersion("13");
        assertThat(shown()).containsExactlyInAnyOrder("a 11 red", "b 12 red", "c 13 red");
        assertThat(server.lists()).isEqualTo(1);
        assertThat(server.requests().stream().map(request -> request.replaceAll(".*resourceVersion=", "")))
                .endsWith("10", "11", "12");
    }

    @Test
    void anExpiredVersionInTheStreamCausesANewList() {
        server.list(
                        json(200, page("10", "", lamp("a", 3, "red"), lamp("b", 4, "red"), lamp("c", 5, "red"))),
                        json(200, page("30", "", lamp("a", 3, "red"), lamp("b", "another", 25, "blue"))))
                .watch(
                        events(
                                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                                        + "\"status\":\"Failure\",\"message\":\"too old\",\"reason\":\"Expired\",\"code\":410}}"));
        start();
        awaitVersion("30");
        assertThat(shown()).containsExactlyInAnyOrder("a 3 red", "b 25 blue");
        assertThat(reported.subList(3, reported.size()))
                .containsExactly("deleted b 4", "changed b 25 from 25", "deleted c 5");
        Awaitility.await().until(() -> server.requests().size() == 4);
        assertThat(server.requests().getLast()).endsWith("resourceVersion=30");
    }

    @Test
    void anExpiredVersionInsteadOfAStreamCausesANewList() {
        server.list(json(200, page("10", "")), json(200, page("30", "", lamp("a", 25, "red"))))
                .watch(json(410, "{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}"));
        start();
        awaitVersion("30");
        assertThat(shown()).containsExactly("a 25 red");
    }

    @Test
    void anExpiredPageBeginsTheListAgain() {
        server.list(
                json(200, page("10", "p2", lamp("a", 3, "red"))),
                json(410, "{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}"),
                json(200, page("30", "", lamp("b", 25, "red"))));
        start();
        awaitVersion("30");
        assertThat(shown()).containsExactly("b 25 red");
        assertThat(server.requests().get(2)).doesNotContain("continue");
    }

    /** As after the API server's data was replaced: it does not know what the token of the next page means. */
    @Test
    void aPageThatTheServerRejectsBeginsTheListAgain() {
        server.list(
                json(200, page("10", "p2", lamp("a", 3, "red"))),
                json(503, ""),
                json(400, "{\"kind\":\"Status\",\"code\":400,\"message\":\"continue key is not valid\"}"),
                json(200, page("30", "", lamp("b", 25, "red"))));
        start();
        awaitVersion("30");
        assertThat(shown()).containsExactly("b 25 red");
        assertThat(server.requests().get(2))
                .as("a busy server gets the same request")
                .contains("continue=p2");
        assertThat(server.requests().get(3)).doesNotContain("continue");
    }

    @Test
    void anEventThatIsNotJsonCausesANewList() {
        server.list(json(200, page("10", "")), json(200, page("30", "", lamp("a", 25, "red"))))
                .watch(events(event("ADDED", lamp("b", 11, "red")), "{\"type\":\"ADDED\",\"object\":{\"meta"));
        start();
        awaitVersion("30");
        assertThat(shown()).containsExactly("a 25 red");
    }

    @Test
    void anEventOfAnUnknownTypeCausesANewList() {
        server.list(json(200, page("10", "")), json(200, page("30", "")))
                .watch(events(event("RENAMED", lamp("b", 11, "red"))));
        start();
        awaitVersion("30");
    }

    @Test
    void anObjectThatDoesNotFitItsClassHidesNoOther() {
        String broken = page("10", "", lamp("a", 3, "red"), lamp("b", 4, "broken"), lamp("c", 5, "red"));
        server.list(json(200, broken), json(200, broken))
                .watch(events(event("ADDED", lamp("d", 11, "broken")), event("ADDED", lamp("e", 12, "red"))));
        start();
        awaitVersion("12");
        assertThat(shown()).containsExactlyInAnyOrder("a 3 red", "b 4 -", "c 5 red", "d 11 -", "e 12 red");
    }

    @Test
    void anObjectWithFieldsOfOtherTypesOrDeepContentHidesNoOther() {
        String deep = "[".repeat(5000) + "]".repeat(5000);
        String odd = lamp("b", 4, "red").replace("\"colour\":\"red\"", "\"colour\":{\"a\":1},\"more\":" + deep);
        server.list(json(200, page("10", "", lamp("a", 3, "red"), odd, lamp("c", 5, "red"))))
                .watch(events(event("ADDED", odd.replace("\"b\"", "\"d\""))));
        start();
        Awaitility.await().until(() -> store.list().size() == 4);
        assertThat(shown()).contains("a 3 red", "c 5 red");
    }

    @Test
    void aListThatIsCutInTheMiddleGoesOnWithTheSamePage() {
        server.list(
                json(200, page("10", "p2", lamp("a", 3, "red"))),
                cut(page("10", "", lamp("b", 4, "red"), lamp("c", 5, "red"))),
                json(200, page("10", "", lamp("b", 4, "red"), lamp("c", 5, "red"))));
        start();
        awaitVersion("10");
        assertThat(shown()).containsExactlyInAnyOrder("a 3 red", "b 4 red", "c 5 red");
        assertThat(server.requests().get(2)).endsWith("continue=p2");
        assertThat(reported).as("each once").hasSize(3);
    }

    @Test
    void anAnswerThatIsNoListIsRetried() {
        Reply forbidden =
                json(403, "{\"kind\":\"Status\",\"code\":403,\"message\":\"lamps is forbidden: ask somebody\"}");
        server.list(json(200, "<html>Welcome to this proxy</html>"), json(200, "{}"))
                // Long enough to be seen.
                .list(forbidden, forbidden, forbidden, forbidden)
                .list(json(200, page("10", "", lamp("a", 3, "red"))));
        reflector.start();
        Awaitility.await().until(() -> reflector.problem().equals("lamps is forbidden: ask somebody"));
        awaitVersion("10");
        Awaitility.await().until(() -> reflector.problem().isEmpty());
    }

    @Test
    void aServerWithoutWebSocketsIsWatchedOverAPlainResponse() {
        server.list(json(200, page("10", "")))
                .watch(json(200, ""), lines(event("ADDED", lamp("a", 11, "red")), event("ADDED", lamp("b", 12, "ü"))));
        start();
        awaitVersion("12");
        assertThat(shown()).containsExactlyInAnyOrder("a 11 red", "b 12 ü");
        assertThat(server.lists()).isEqualTo(1);
    }

    @Test
    void aRefusedWatchIsReportedAndTriedAgainWithoutAList() {
        Reply forbidden = json(403, "");
        server.list(json(200, page("10", "")))
                .watch(forbidden, forbidden, forbidden, forbidden, forbidden, forbidden)
                .watch(events(event("ADDED", lamp("a", 11, "red"))));
        reflector.start();
        Awaitility.await().until(() -> reflector.problem().contains("403"));
        awaitVersion("11");
        assertThat(server.lists()).isEqualTo(1);
        assertThat(reflector.problem()).isEmpty();
    }

    @Test
    void watchesThatEndAtOnceWithoutAnEventEndInAList() {
        server.list(json(200, page("10", "")), json(200, page("30", "")))
                .watch(eventsThenClose(), eventsThenClose(), eventsThenClose());
        start();
        awaitVersion("30");
        assertThat(server.requests()).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void anEchoOfAnOwnWriteIsShownWithoutDecodingIt() {
        Lamp own = decoded(lamp("a", 11, "red"));
        store.overlay().written("ns/a", own);
        // Not what was written, to see that nobody looks at it.
        server.list(json(200, page("10", "")))
                .watch(events(event("ADDED", lamp("a", 11, "broken")), event("ADDED", lamp("b", 12, "red"))));
        start();
        awaitVersion("12");
        assertThat(store.get("ns/a")).containsSame(own);
        assertThat(store.overlay().size()).isZero();
        assertThat(reported).containsExactly("changed a 11 from 11", "changed b 12 from 12");
    }

    @Test
    void aListenerOrIndexThatFailsEndsNothing() {
        store.listen(new CacheListener<>() {
            @Override
            public void changed(Lamp before, Lamp after) {
                throw new IllegalStateException("a defect");
            }

            @Override
            public void deleted(Lamp last) {
                throw new IllegalStateException("a defect");
            }
        });
        ObjectIndex<Lamp> index = store.indexBy(_ -> {
            throw new IllegalStateException("a defect");
        });
        server.list(json(200, page("10", "", lamp("a", 3, "red"))))
                .watch(events(event("DELETED", lamp("a", 11, "red")), event("ADDED", lamp("b", 12, "red"))));
        start();
        awaitVersion("12");
        assertThat(reported).containsExactly("changed a 3 from 3", "deleted a 3", "changed b 12 from 12");
        assertThat(store.list(index, "x")).isEmpty();
    }

    @Test
    void aClosedInformerSendsNothingMore() {
        server.list(json(200, page("10", ""))).watch(events(event("ADDED", lamp("a", 11, "red"))));
        start();
        awaitVersion("11");
        int before = server.requests().size();
        reflector.close();
        // Nothing else sends.
        Awaitility.await().until(() -> !reflector.running());
        assertThat(server.requests()).hasSize(before);
    }

    private void start() {
        store.listen(new CacheListener<>() {
            @Override
            public void changed(Lamp before, Lamp after) {
                reported.add("changed " + name(after) + " from "
                        + before.getMetadata().getResourceVersion());
            }

            @Override
            public void deleted(Lamp last) {
                reported.add("deleted " + name(last));
            }
        });
        reflector.start();
    }

    private void awaitVersion(String version) {
        Awaitility.await().until(() -> store.version().value().equals(version));
    }

    private List<String> shown() {
        return store.list().stream()
                .map(lamp -> {
                    @Nullable LampSpec spec = lamp.getSpec();
                    return name(lamp) + " " + (spec == null ? "-" : spec.colour());
                })
                .toList();
    }

    private static String name(Lamp lamp) {
        return lamp.getMetadata().getName() + " " + lamp.getMetadata().getResourceVersion();
    }

    private Lamp decoded(String json) {
        ObjectDecoder<Lamp> decoder = connection.decoder(Lamp.class);
        try (JsonParser parser = decoder.parser(json.getBytes(StandardCharsets.UTF_8))) {
            return decoder.decode(parser);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String lamp(String name, int version, String colour) {
        return lamp(name, "uid-" + name, version, colour);
    }

    private static String lamp(String name, String uid, int version, String colour) {
        return """
                {"apiVersion":"test.example.org/v1","kind":"Lamp","metadata":{"labels":{"name":"no"},"name":"%s",\
                "managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"name":{}}}}],"namespace":"ns",\
                "resourceVersion":"%d","uid":"%s"},"spec":{"colour":"%s"}}""".formatted(name, version, uid, colour);
    }

    private static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    }

    private static String bookmark(int version) {
        return event("BOOKMARK", "{\"kind\":\"Lamp\",\"metadata\":{\"resourceVersion\":\"" + version + "\"}}");
    }

    private static String page(String version, String next, String... lamps) {
        return "{\"apiVersion\":\"test.example.org/v1\",\"items\":[" + String.join(",", lamps)
                + "],\"kind\":\"LampList\",\"metadata\":{\"continue\":\"" + next + "\",\"resourceVersion\":\"" + version
                + "\"}}";
    }
}
