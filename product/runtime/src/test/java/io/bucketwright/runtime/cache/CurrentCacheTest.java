package io.bucketwright.runtime.cache;

import static io.bucketwright.runtime.cache.LampInformer.bookmark;
import static io.bucketwright.runtime.cache.LampInformer.event;
import static io.bucketwright.runtime.cache.LampInformer.lamp;
import static io.bucketwright.runtime.cache.LampInformer.page;
import static io.bucketwright.runtime.cache.ListWatchServer.events;
import static io.bucketwright.runtime.cache.ListWatchServer.eventsThenClose;
import static io.bucketwright.runtime.cache.ListWatchServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.Moment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An informer says that it is current only when it shows what was written before the moment in question. */
class CurrentCacheTest {

    private static final String VERSION =
            "/apis/test.example.org/v1/namespaces/ns/lamps?fieldSelector=metadata.name%3Dbucketwright-no-object";

    private final LampInformer lamps = new LampInformer();
    private final ListWatchServer server = lamps.server;

    @AfterEach
    void close() {
        lamps.close();
    }

    @Test
    void aListThatIsRequestedAfterwardsIsCurrentWithoutAnyRequest() throws Exception {
        Moment before = now();
        CompletableFuture<Boolean> current = current(before);
        server.list(json(200, page("10", "", lamp("a", 3, "red"))));
        assertThat(current).as("nothing is listed yet").isNotDone();
        lamps.start();
        assertThat(current.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(lamps.shown()).containsExactly("a 3 red");
        assertThat(current(before).get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(server.lists()).isOne();
    }

    @Test
    void aCacheThatShowsTheVersionOfTheServerCostsOneSmallList() throws Exception {
        server.list(json(200, page("10", "")), json(200, page("11", "")))
                .watch(events(event("ADDED", lamp("a", 11, "red"))));
        lamps.start();
        lamps.awaitVersion("11");
        assertThat(current(now()).get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(server.requests()).hasSize(3).last().isEqualTo(VERSION);
    }

    @Test
    void anEventThatWasOnItsWayIsWaitedFor() throws Exception {
        server.list(json(200, page("10", "")), json(200, page("12", "")))
                .watch(events(), events(event("ADDED", lamp("a", 12, "red")), bookmark(13)));
        lamps.start();
        lamps.awaitVersion("10");
        assertThat(current(now()).get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(lamps.shown()).containsExactly("a 12 red");
        assertThat(server.lists()).as("nothing else is listed").isEqualTo(2);
    }

    @Test
    void anIdleWatchIsOpenedAgainForABookmarkAndGoesOnNormally() throws Exception {
        server.list(json(200, page("10", "")), json(200, page("20", "")))
                .watch(events(), eventsThenClose(bookmark(20)), events(bookmark(21)));
        lamps.start();
        lamps.awaitVersion("10");
        assertThat(current(now()).get(10, TimeUnit.SECONDS)).isTrue();
        lamps.awaitVersion("21");
        List<String> watches = server.requests().stream()
                .filter(each -> each.contains("watch=true"))
                .toList();
        assertThat(watches).hasSize(3);
        assertThat(watches.get(1)).contains("timeoutSeconds=3&").endsWith("resourceVersion=10");
        assertThat(watches.get(2)).doesNotContain("timeoutSeconds=3&").endsWith("resourceVersion=20");
        assertThat(lamps.delays).as("only after the server closed the watch").hasSize(1);
    }

    /** As a server without consistent lists from its cache, or one of several that lags behind. */
    @Test
    void everythingIsListedIfNoBookmarkShowsTheVersionInTime() throws Exception {
        server.list(
                        json(200, page("10", "", lamp("a", 3, "red"))),
                        json(200, page("20", "")),
                        json(200, page("21", "", lamp("b", 15, "red"))))
                .watch(events(), events(bookmark(12)));
        lamps.start();
        lamps.awaitVersion("10");
        CompletableFuture<Boolean> current = current(now());
        lamps.awaitVersion("12");
        assertThat(current).isNotDone();
        assertThat(current.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(lamps.shown()).containsExactly("b 15 red");
    }

    @Test
    void aServerThatDoesNotAnswerIsAskedAgain() throws Exception {
        server.list(json(200, page("10", "")), json(500, ""), json(403, ""), json(200, page("10", "")));
        lamps.start();
        lamps.awaitVersion("10");
        assertThat(current(now()).get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(server.lists()).isEqualTo(4);
        assertThat(lamps.delays).hasSize(2);
    }

    @Test
    void theWaitEndsWhenNobodyWantsToKnowAnyMore() throws Exception {
        server.list(json(200, page("10", "")));
        AtomicBoolean wanted = new AtomicBoolean(true);
        CompletableFuture<Boolean> current = lamps.reflector.current(now().plus(Duration.ofHours(1)), wanted::get);
        lamps.start();
        Awaitility.await().until(() -> server.lists() > 3);
        wanted.set(false);
        assertThat(current.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void theWaitFailsWhenTheInformerIsClosed() {
        CompletableFuture<Boolean> current = current(now());
        lamps.reflector.close();
        assertThatThrownBy(() -> current.get(10, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    }

    private CompletableFuture<Boolean> current(Moment since) {
        return lamps.reflector.current(since, () -> true);
    }

    private static Moment now() {
        return new Moment(System.nanoTime());
    }
}
