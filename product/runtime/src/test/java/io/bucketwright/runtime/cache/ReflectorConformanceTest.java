package io.bucketwright.runtime.cache;

import static io.bucketwright.runtime.cache.LampInformer.bookmark;
import static io.bucketwright.runtime.cache.LampInformer.event;
import static io.bucketwright.runtime.cache.LampInformer.lamp;
import static io.bucketwright.runtime.cache.LampInformer.page;
import static io.bucketwright.runtime.cache.ListWatchServer.cut;
import static io.bucketwright.runtime.cache.ListWatchServer.events;
import static io.bucketwright.runtime.cache.ListWatchServer.eventsThenClose;
import static io.bucketwright.runtime.cache.ListWatchServer.eventsThenCut;
import static io.bucketwright.runtime.cache.ListWatchServer.json;
import static io.bucketwright.runtime.cache.ListWatchServer.throttled;
import static io.bucketwright.runtime.cache.ListWatchServer.withoutEnd;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.cache.LampInformer.Lamp;
import io.bucketwright.runtime.cache.ListWatchServer.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an informer must do, whatever the server and the network do: one method for each rule that client-go's reflector
 * keeps, and for those in which ours is stricter. Behaviour that only ours has is tested in {@link ReflectorTest}.
 */
class ReflectorConformanceTest {

    private static final String GONE = "{\"kind\":\"Status\",\"code\":410,\"message\":\"too old resource version\"}";

    private final LampInformer lamps = new LampInformer();
    private final ListWatchServer server = lamps.server;

    @AfterEach
    void close() {
        lamps.close();
    }

    // Lists

    @Test
    void aFirstPageThatIsCutAtAnyByteLeavesNoKeyOfTheBrokenList() {
        String broken = page("10", "p2", lamp("a", 3, "red"), lamp("b", 4, "red"));
        String later = page("30", "", lamp("a", 3, "red"));
        forEachCut(broken, cut -> {
            server.list(cut, json(200, later));
            lamps.start();
            lamps.awaitVersion("30");
            assertThat(lamps.shown()).containsExactly("a 3 red");
        });
    }

    @Test
    void aMiddlePageThatIsCutAtAnyByteIsRequestedAgainAndTheListIsComplete() {
        String middle = page("10", "p3", lamp("b", 4, "red"), lamp("c", 5, "red"));
        forEachCut(middle, cut -> {
            server.list(json(200, page("10", "p2", lamp("a", 3, "red"))), cut, json(200, middle))
                    .list(json(200, page("10", "", lamp("d", 6, "red"))));
            lamps.start();
            lamps.awaitVersion("10");
            assertThat(lamps.shown()).containsExactlyInAnyOrder("a 3 red", "b 4 red", "c 5 red", "d 6 red");
            assertThat(lamps.reported).as("each once").hasSize(4);
        });
    }

    @Test
    void aLastPageThatIsCutAtAnyByteIsRequestedAgainAndTheListIsComplete() {
        String last = page("10", "", lamp("b", 4, "red"), lamp("c", 5, "red"));
        forEachCut(last, cut -> {
            server.list(json(200, page("10", "p2", lamp("a", 3, "red"))), cut, json(200, last));
            lamps.start();
            lamps.awaitVersion("10");
            assertThat(lamps.shown()).containsExactlyInAnyOrder("a 3 red", "b 4 red", "c 5 red");
            assertThat(lamps.reported).as("each once").hasSize(3);
            assertThat(lists().getLast()).endsWith("continue=p2");
        });
    }

    @Test
    void aRelistWhoseFirstPageIsCutShowsNothingThatWasDeletedMeanwhile() {
        server.list(
                        json(200, page("10", "", lamp("a", 3, "red"), lamp("b", 4, "red"))),
                        cut(page("20", "p2", lamp("a", 3, "red"), lamp("b", 4, "red"), lamp("c", 15, "red")), 800),
                        json(200, page("30", "", lamp("a", 3, "red"))))
                .watch(events(error(410, "")));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactly("a 3 red");
        assertThat(lamps.reported).contains("deleted b 4");
    }

    @Test
    void aFirstPageThatIsReadAgainLenientlyLeavesNoKeyOfTheFirstAttempt() {
        server.list(
                json(200, page("10", "", lamp("a", 3, "red"), lamp("b", 4, "broken"))),
                json(200, page("30", "", lamp("b", 4, "broken"))));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactly("b 4 -");
    }

    @Test
    void anEmptyListIsAListAndDeletesEverything() {
        server.list(json(200, page("10", "", lamp("a", 3, "red"))), json(200, page("30", "")))
                .watch(events(error(410, "")));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).isEmpty();
        assertThat(lamps.reported).containsExactly("changed a 3 from 3", "deleted a 3");
    }

    @Test
    void aListWithItemsNullIsEmpty() {
        server.list(json(200, "{\"kind\":\"LampList\",\"metadata\":{\"resourceVersion\":\"10\"},\"items\":null}"));
        lamps.start();
        lamps.awaitVersion("10");
        assertThat(lamps.shown()).isEmpty();
    }

    @Test
    void aRelistReplacesEverythingAndReportsEachDifferenceOnce() {
        server.list(
                        json(200, page("10", "", lamp("a", 3, "red"), lamp("b", 4, "red"), lamp("c", 5, "red"))),
                        json(200, page("30", "", lamp("b", 4, "red"), lamp("c", 25, "blue"), lamp("d", 26, "red"))))
                .watch(events(error(410, "")));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactlyInAnyOrder("b 4 red", "c 25 blue", "d 26 red");
        assertThat(lamps.reported.subList(3, lamps.reported.size()))
                .containsExactlyInAnyOrder("changed c 25 from 5", "changed d 26 from 26", "deleted a 3");
    }

    @Test
    void aListThatHasExpiredBeginsAgainWithoutTheKeysOfTheFormerOne() {
        server.list(
                json(200, page("10", "p2", lamp("a", 3, "red"))),
                json(410, GONE),
                json(410, GONE),
                json(200, page("30", "", lamp("b", 25, "red"))));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactly("b 25 red");
        assertThat(server.requests().subList(2, 4)).noneMatch(request -> request.contains("continue"));
    }

    /** Pages of a list that takes longer than its version exists never end; client-go requests it without a limit then, too. */
    @Test
    void aListWhosePagesExpireAgainIsRequestedWithoutALimit() {
        String first = page("10", "p2", lamp("a", 3, "red"));
        server.list(json(200, first), json(410, GONE), json(200, first), json(410, GONE))
                .list(json(200, page("30", "", lamp("b", 25, "red"))), json(200, page("40", "")))
                .watch(events(error(410, "")));
        lamps.start();
        lamps.awaitVersion("40");
        assertThat(lamps.reported).contains("changed b 25 from 25", "deleted a 3");
        assertThat(lists()).hasSize(6);
        assertThat(lists().get(4)).doesNotContain("limit", "continue");
        assertThat(lists().get(5)).as("the next list").contains("limit");
    }

    @Test
    void aListWithoutALimitThatFailsIsFollowedByPages() {
        String first = page("10", "p2", lamp("a", 3, "red"));
        server.list(json(200, first), json(410, GONE), json(200, first), json(410, GONE), json(504, ""))
                .list(json(200, page("30", "", lamp("b", 25, "red"))));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactly("b 25 red");
        assertThat(lists().get(5)).contains("limit").doesNotContain("continue");
    }

    private List<String> lists() {
        return server.requests().stream()
                .filter(request -> !request.contains("watch=true"))
                .toList();
    }

    /** A list that is served from a cache may be older than what a former leader wrote; see decision 13. */
    @Test
    void everyListIsConsistentAndNeverServedFromAStaleCache() {
        server.list(json(200, page("10", "")), json(200, page("30", ""))).watch(events(error(410, "")));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(server.requests().stream().filter(request -> !request.contains("watch=true")))
                .hasSize(2)
                .noneMatch(request -> request.contains("resourceVersion"));
    }

    // Watches

    @Test
    void aWatchThatIsRefusedBecauseItsVersionIsTooOldIsFollowedByAList() {
        server.list(json(200, page("10", "")), json(200, page("30", "", lamp("a", 25, "red"))))
                .watch(json(410, GONE));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactly("a 25 red");
    }

    /** As after the data of the API server was restored from a backup, or with a second server that lags behind. */
    @ParameterizedTest
    @ValueSource(ints = {400, 404, 504})
    void aWatchWhoseVersionTheServerDoesNotUnderstandIsFollowedByAList(int code) {
        server.list(json(200, page("10", "")), json(200, page("5", ""))).watch(json(code, ""));
        lamps.start();
        lamps.awaitVersion("5");
        Awaitility.await().until(() -> watched("5"));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429, 500})
    void aWatchThatIsDeniedOrThatABusyServerRefusesGoesOnFromItsVersion(int code) {
        server.list(json(200, page("10", "")))
                .watch(json(code, ""), json(code, ""), json(code, ""), json(code, ""), events(bookmark(11)));
        lamps.start();
        lamps.awaitVersion("11");
        assertThat(server.lists()).isOne();
    }

    @Test
    void aBookmarkMovesTheVersionAndReportsNothing() {
        server.list(json(200, page("10", ""))).watch(eventsThenClose(bookmark(20)), events(bookmark(21)));
        lamps.start();
        lamps.awaitVersion("21");
        assertThat(watched("20")).isTrue();
        assertThat(lamps.reported).isEmpty();
    }

    @Test
    void aWatchThatIsClosedCleanlyGoesOnFromTheLastEvent() {
        server.list(json(200, page("10", "")))
                .watch(eventsThenClose(event("ADDED", lamp("a", 11, "red"))), events(bookmark(12)));
        lamps.start();
        lamps.awaitVersion("12");
        assertThat(watched("11")).isTrue();
        assertThat(server.lists()).isOne();
    }

    @Test
    void watchesThatAreClosedRightAfterTheyOpenedAreFollowedByAList() {
        server.list(json(200, page("10", "")), json(200, page("30", "")))
                .watch(eventsThenClose(), eventsThenClose(), eventsThenClose());
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.delays).as("never at once").hasSizeGreaterThanOrEqualTo(3);
        assertThat(server.requests()).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void anEventThatIsCutIsNotAppliedAndNotLost() {
        server.list(json(200, page("10", "")))
                .watch(
                        eventsThenCut(event("ADDED", lamp("a", 11, "red"))),
                        events(event("ADDED", lamp("a", 11, "red"))));
        lamps.start();
        lamps.awaitVersion("11");
        assertThat(lamps.reported).containsExactly("changed a 11 from 11");
        assertThat(server.lists()).isOne();
    }

    @Test
    void anEventThatIsDeliveredTwiceIsReportedOnce() {
        String added = event("ADDED", lamp("a", 11, "red"));
        String deleted = event("DELETED", lamp("b", 12, "red"));
        server.list(json(200, page("10", "", lamp("b", 4, "red"))))
                .watch(events(added, added, event("MODIFIED", lamp("a", 11, "red")), deleted, bookmark(20)));
        lamps.start();
        lamps.awaitVersion("20");
        assertThat(lamps.reported).containsExactly("changed b 4 from 4", "changed a 11 from 11", "deleted b 4");
    }

    /** The server orders events. If what it sends looks older, its data was replaced, and it is still what exists. */
    @Test
    void theLastEventOfAnObjectWinsWhateverItsVersion() {
        server.list(json(200, page("10", "")))
                .watch(events(
                        event("ADDED", lamp("a", 12, "red")), event("MODIFIED", lamp("a", 11, "blue")), bookmark(20)));
        lamps.start();
        lamps.awaitVersion("20");
        assertThat(lamps.shown()).containsExactly("a 11 blue");
    }

    @Test
    void eventsThatDoNotFitWhatIsKnownAreApplied() {
        server.list(json(200, page("10", "", lamp("a", 3, "red"))))
                .watch(events(
                        event("ADDED", lamp("a", 11, "blue")),
                        event("MODIFIED", lamp("b", 12, "red")),
                        event("ADDED", lamp("b", "another", 13, "blue")),
                        event("DELETED", lamp("c", 14, "red")),
                        bookmark(20)));
        lamps.start();
        lamps.awaitVersion("20");
        assertThat(lamps.shown()).containsExactlyInAnyOrder("a 11 blue", "b 13 blue");
        assertThat(lamps.reported)
                .containsExactly(
                        "changed a 3 from 3",
                        "changed a 11 from 3",
                        "changed b 12 from 12",
                        "deleted b 12",
                        "changed b 13 from 13",
                        "deleted c 14");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no json",
                "{\"type\":\"ADDED\"}",
                "{\"type\":\"MOVED\",\"object\":{\"metadata\":{}}}",
                "{\"type\":\"MOVED\",\"object\":{\"metadata\":{\"name\":\"b\",\"uid\":\"u\",\"resourceVersion\":\"11\"}}}",
                "[]"
            })
    void anEventThatCannotBeUnderstoodIsFollowedByAList(String unreadable) {
        server.list(json(200, page("10", "")), json(200, page("30", "", lamp("a", 25, "red"))))
                .watch(events(unreadable, event("ADDED", lamp("b", 11, "red"))));
        lamps.start();
        lamps.awaitVersion("30");
        assertThat(lamps.shown()).containsExactly("a 25 red");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void anErrorOfABusyServerIsFollowedByAWatchFromTheSameVersion(int code) {
        server.list(json(200, page("10", ""))).watch(events(error(code, "")), events(bookmark(11)));
        lamps.start();
        lamps.awaitVersion("11");
        assertThat(server.lists()).isOne();
        assertThat(lamps.delays).hasSize(1);
    }

    @Test
    void anErrorThatRequestsToWaitIsFollowedByThatWaitAndNoLongerThanAMinute() {
        server.list(json(200, page("10", "")))
                .watch(
                        events(error(429, ",\"details\":{\"retryAfterSeconds\":7}")),
                        events(error(429, ",\"details\":{\"retryAfterSeconds\":86400}")),
                        events(bookmark(11)));
        lamps.start();
        lamps.awaitVersion("11");
        assertThat(lamps.delays.get(0)).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
        assertThat(lamps.delays.get(1)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
    }

    @Test
    void aListOrAWatchThatIsRefusedIsRepeatedAfterTheWaitThatTheServerRequests() {
        server.list(throttled(7), json(200, page("10", ""))).watch(throttled(86_400), events(bookmark(11)));
        lamps.start();
        lamps.awaitVersion("11");
        assertThat(lamps.delays.get(0)).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
        assertThat(lamps.delays.get(1)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
        assertThat(server.requests()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 400, 403, 410, 504})
    void anyOtherErrorIsFollowedByAList(int code) {
        server.list(json(200, page("10", "")), json(200, page("30", ""))).watch(events(error(code, "")));
        lamps.start();
        lamps.awaitVersion("30");
    }

    // Back-off

    @Test
    void delaysDoubleUpToALimitAndDifferBetweenInformers() {
        Duration first = Duration.ofMillis(500);
        assertThat(Stream.of(0, 1, 2, 3, 4, 5, 6, 7, 100)
                        .map(failures -> Reflector.delay(first, failures, 0.5).toMillis()))
                .containsExactly(500L, 500L, 1000L, 2000L, 4000L, 8000L, 16000L, 16000L, 16000L);
        assertThat(Reflector.delay(first, 100, 0).toMillis()).isEqualTo(8000);
        assertThat(Reflector.delay(first, 100, 1).toMillis()).isEqualTo(24000);
    }

    @Test
    void delaysAreDrawnAndBeginAgainAfterAWatchThatWasUseful() {
        Reply busy = json(503, "");
        server.list(busy, busy, busy, busy, busy, busy, busy, busy, json(200, page("10", "")))
                .watch(eventsThenClose(bookmark(11)), events(bookmark(12)));
        lamps.start();
        lamps.awaitVersion("12");
        assertThat(lamps.delays).hasSize(9);
        assertThat(lamps.delays.subList(5, 8)).doesNotHaveDuplicates().allMatch(delay -> delay.toMillis() >= 1600);
        assertThat(lamps.delays.getLast().toMillis()).isBetween(50L, 150L);
    }

    // Handlers

    @Test
    void aHandlerAnIndexOrATrimThatThrowsAnErrorEndsNothing() {
        List<ObjectIndex<Lamp>> indexes = new ArrayList<>();
        lamps.renew(lamp -> {
            if (lamp.getMetadata().getName().equals("a")) {
                throw new StackOverflowError("a defect");
            }
            return lamp;
        });
        List<Runnable> failures = List.of(
                () -> {
                    throw new NoClassDefFoundError("a defect");
                },
                () -> {
                    throw new StackOverflowError("a defect");
                },
                () -> {
                    throw new IllegalStateException("a defect");
                });
        for (Runnable failure : failures) {
            lamps.store.listen(failing(failure));
            indexes.add(lamps.store.indexBy(_ -> {
                failure.run();
                return List.of("x");
            }));
        }
        server.list(json(200, page("10", "", lamp("a", 3, "red"))))
                .watch(events(event("DELETED", lamp("a", 11, "red")), event("ADDED", lamp("b", 12, "red"))));
        lamps.start();
        lamps.awaitVersion("12");
        assertThat(lamps.reported).containsExactly("changed a 3 from 3", "deleted a 3", "changed b 12 from 12");
        assertThat(server.requests()).as("one list, one watch").hasSize(2);
        assertThat(lamps.reflector.running()).isTrue();
        assertThat(indexes)
                .allSatisfy(index -> assertThat(lamps.store.list(index, "x")).isEmpty());
    }

    private static CacheListener<Lamp> failing(Runnable failure) {
        return new CacheListener<>() {
            @Override
            public void changed(Lamp before, Lamp after) {
                failure.run();
            }

            @Override
            public void deleted(Lamp last) {
                failure.run();
            }
        };
    }

    /** Runs that with a body that is cut at each byte, and with one whose end is missing, each time with a new informer. */
    private void forEachCut(String body, Consumer<Reply> test) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        for (int bytes = 0; bytes < length; bytes++) {
            test.accept(cut(body, bytes));
            lamps.renew();
        }
        test.accept(withoutEnd(body));
    }

    private boolean watched(String version) {
        List<String> requests = server.requests();
        return requests.stream()
                .anyMatch(request -> request.contains("watch=true") && request.endsWith("resourceVersion=" + version));
    }

    private static String error(int code, String more) {
        return event(
                "ERROR",
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"no\",\"code\":"
                        + code + more + "}");
    }
}
