package io.bucketwright.runtime.cache;

import static io.bucketwright.runtime.cache.LampInformer.bookmark;
import static io.bucketwright.runtime.cache.LampInformer.event;
import static io.bucketwright.runtime.cache.LampInformer.lamp;
import static io.bucketwright.runtime.cache.LampInformer.page;
import static io.bucketwright.runtime.cache.ListWatchServer.events;
import static io.bucketwright.runtime.cache.ListWatchServer.json;
import static io.bucketwright.runtime.cache.ListWatchServer.lines;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import io.bucketwright.runtime.cache.LampInformer.Lamp;
import io.bucketwright.runtime.cache.ListWatchServer.Reply;
import io.bucketwright.runtime.json.ObjectDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists and watches of a server that sends what a server should not, and of networks that lose half of it. */
class ReflectorTest {

    private final LampInformer lamps = new LampInformer();
    private final ListWatchServer server = lamps.server;
    private final InformerStore<Lamp> store = lamps.store;
    private final Reflector<Lamp> reflector = lamps.reflector;
    private final List<String> reported = lamps.reported;

    @AfterEach
    void close() {
        lamps.close();
    }

    @Test
    void listsAllPagesThenWatchesFromTheirVersion() {
        server.list(json(200, page("10", "p2", lamp("a", 3, "red"))), json(200, page("10", "", lamp("b", 4, "red"))))
                .watch(events(
                        event("ADDED", lamp("c", 11, "red")),
                        event("MODIFIED", lamp("a", 12, "blue")),
                        event("DELETED", lamp("b", 13, "red")),
                        bookmark(20)));
        lamps.start();
        lamps.awaitVersion("20");
        assertThat(lamps.shown()).containsExactlyInAnyOrder("a 12 blue", "c 11 red");
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

    @ParameterizedTest
    @CsvSource({"'', api", "'', apis", "/k8s/api/c-1, ns", "/apis/, api"})
    void aWatchIsHeardWhateverTheNamespaceAndThePathOfTheServerAreCalled(String root, String namespace) {
        try (LampInformer named = new LampInformer(root, namespace)) {
            named.server.list(json(200, page("10", ""))).watch(events(bookmark(11)));
            assertThat(named.reflector.status().code()).isZero();
            named.start();
            named.awaitVersion("11");
            assertThat(named.reflector.status().code()).isEqualTo(200);
        }
    }

    /** As after the API server's data was replaced: it does not know what the token of the next page means. */
    @Test
    void aPageThatTheServerRejectsBeginsTheListAgain() {
        server.list(
                json(200, page("10", "p2", lamp("a", 3, "red"))),
                json(503, ""),
                json(400, "{\"kind\":\"Status\",\"code\":400,\"message\":\"continue key is not valid\"}"),
                json(200, page("30", "", lamp("b", 25, "red"))));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactly("b 25 red");
        assertThat(server.requests().get(2))
                .as("a busy server gets the same request")
                .contains("continue=p2");
        assertThat(server.requests().get(3)).doesNotContain("continue");
    }

    @Test
    void anEventThatIsNotJsonCausesANewList() {
        server.list(json(200, page("10", "")), json(200, page("30", "", lamp("a", 25, "red"))))
                .watch(events(event("ADDED", lamp("b", 11, "red")), "{\"type\":\"ADDED\",\"object\":{\"meta"));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactly("a 25 red");
    }

    @Test
    void anObjectThatDoesNotFitItsClassHidesNoOther() {
        String broken = page("10", "", lamp("a", 3, "red"), lamp("b", 4, "broken"), lamp("c", 5, "red"));
        server.list(json(200, broken), json(200, broken))
                .watch(events(event("ADDED", lamp("d", 11, "broken")), event("ADDED", lamp("e", 12, "red"))));
        lamps.start();
        lamps.awaitVersion("12");
        assertThat(lamps.shown()).containsExactlyInAnyOrder("a 3 red", "b 4 -", "c 5 red", "d 11 -", "e 12 red");
    }

    @Test
    void anObjectWithFieldsOfOtherTypesOrDeepContentHidesNoOther() {
        String deep = "[".repeat(5000) + "]".repeat(5000);
        String odd = lamp("b", 4, "red").replace("\"colour\":\"red\"", "\"colour\":{\"a\":1},\"more\":" + deep);
        server.list(json(200, page("10", "", lamp("a", 3, "red"), odd, lamp("c", 5, "red"))))
                .watch(events(event("ADDED", odd.replace("\"b\"", "\"d\""))));
        lamps.start();
        Awaitility.await().until(() -> store.list().size() == 4);
        assertThat(lamps.shown()).contains("a 3 red", "c 5 red");
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
        lamps.awaitVersion("10");
        Awaitility.await().until(() -> reflector.problem().isEmpty());
    }

    @Test
    void aServerWithoutWebSocketsIsWatchedOverAPlainResponse() {
        server.list(json(200, page("10", "")))
                .watch(json(200, ""), lines(event("ADDED", lamp("a", 11, "red")), event("ADDED", lamp("b", 12, "ü"))));
        lamps.start();
        lamps.awaitVersion("12");
        assertThat(lamps.shown()).containsExactlyInAnyOrder("a 11 red", "b 12 ü");
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
        lamps.awaitVersion("11");
        assertThat(server.lists()).isEqualTo(1);
        assertThat(reflector.problem()).isEmpty();
    }

    @Test
    void anEchoOfAnOwnWriteIsShownWithoutDecodingIt() {
        Lamp own = decoded(lamp("a", 11, "red"));
        store.overlay().written("ns/a", own);
        // Not what was written, to see that nobody looks at it.
        server.list(json(200, page("10", "")))
                .watch(events(event("ADDED", lamp("a", 11, "broken")), event("ADDED", lamp("b", 12, "red"))));
        lamps.start();
        lamps.awaitVersion("12");
        assertThat(store.get("ns/a")).containsSame(own);
        assertThat(store.overlay().size()).isZero();
        assertThat(reported).containsExactly("changed a 11 from 11", "changed b 12 from 12");
    }

    @Test
    void aClosedInformerSendsNothingMore() {
        server.list(json(200, page("10", ""))).watch(events(event("ADDED", lamp("a", 11, "red"))));
        lamps.start();
        lamps.awaitVersion("11");
        int before = server.requests().size();
        reflector.close();
        // Nothing else sends.
        Awaitility.await().until(() -> !reflector.running());
        assertThat(server.requests()).hasSize(before);
    }

    private Lamp decoded(String json) {
        ObjectDecoder<Lamp> decoder = lamps.connection.decoder(Lamp.class);
        try (JsonParser parser = decoder.parser(json.getBytes(StandardCharsets.UTF_8))) {
            return decoder.decode(parser);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
