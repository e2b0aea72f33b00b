package io.bucketwright.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private final Turns<String> turns = new Turns<>(key -> key.substring(0, key.indexOf('/')));

    @Test
    void aTenantThatHadFewerTurnsGoesFirst() {
        add("busy", 0, 1000);
        take(500);
        add("quiet", 0, 100);
        assertThat(take(101)).startsWith("quiet/0").endsWith("quiet/99", "busy/500");
    }

    @Test
    void aTenantThatGoesFirstIsAheadForALimitedNumberOfTurns() {
        add("busy", 0, 1000);
        take(500);
        add("quiet", 0, 1000);
        List<String> taken = take((int) Turns.MOST_AHEAD + 10);
        assertThat(taken.stream().filter(key -> key.startsWith("busy"))).hasSize(5);
    }

    /** Neither had turns before: the one whose keys need more turns than it may be ahead does not delay the other one. */
    @Test
    void ofTwoTenantsThatGoFirstTheOneWithFewerKeysDoes() {
        add("many", 0, 500);
        take(10);
        add("few", 0, 100);
        assertThat(take(101)).startsWith("few/0").endsWith("few/99", "many/10");
    }

    /** Otherwise a tenant with one key at a time would always go first. */
    @Test
    void aTenantWithoutKeysKeepsTheTurnsThatItHad() {
        add("busy", 0, 1000);
        take(500);
        int first = 0;
        for (int i = 0; i < Turns.MOST_AHEAD + 100; i++) {
            turns.add("one/" + i);
            first += turns.removeFirst().startsWith("one") ? 1 : 0;
            turns.remove("one/" + i);
        }
        assertThat(first).isBetween((int) Turns.MOST_AHEAD, (int) Turns.MOST_AHEAD + 51);
    }

    @Test
    void whatWasBegunComesFirstButDoesNotDelayTheRestForEver() {
        add("one", 0, 10);
        turns.addBegun("one/begun");
        assertThat(take(2)).containsExactly("one/begun", "one/0");
        for (int i = 0; i < 40; i++) {
            turns.addBegun("one/again-" + i);
        }
        assertThat(take(20)).contains("one/1").doesNotContain("one/2");
    }

    /** Of a thousand tenants with one key each, the first is done long before the last is begun. */
    @Test
    void whatWasBegunIsFinishedFirstAlsoIfEachKeyHasATenantOfItsOwn() {
        for (int i = 0; i < 1000; i++) {
            turns.add(i + "/key");
        }
        for (int i = 0; i < 5; i++) {
            assertThat(take(1)).containsExactly(i + "/key");
            turns.addBegun(i + "/key");
            assertThat(take(1)).containsExactly(i + "/key");
            turns.addBegun(i + "/key");
            assertThat(take(1)).containsExactly(i + "/key");
        }
    }

    @Test
    void aTenantWhoseKeysAreNeverFinishedDoesNotDelayOthers() {
        turns.add("slow/0");
        for (int i = 0; i < 100; i++) {
            turns.addBegun(take(1).getFirst());
        }
        add("quiet", 0, 10);
        assertThat(take(10)).allMatch(key -> key.startsWith("quiet"));
    }

    @Test
    void namespacesThatNoLongerExistAreForgotten() {
        for (int i = 0; i < 10 * Turns.MOST_REMEMBERED; i++) {
            turns.add(i + "/key");
            turns.removeFirst();
        }
        assertThat(turns.tenants()).isLessThanOrEqualTo(Turns.MOST_REMEMBERED);
    }

    @Test
    void aKeyWaitsOnceAndNoLongerWhenItWasRemoved() {
        add("one", 0, 2);
        turns.add("one/0");
        turns.addBegun("one/1");
        assertThat(turns.size()).isEqualTo(2);
        turns.remove("one/0");
        assertThat(take(1)).containsExactly("one/1");
        assertThat(turns.isEmpty()).isTrue();
        assertThatThrownBy(turns::removeFirst).isInstanceOf(NoSuchElementException.class);
    }

    private void add(String tenant, int from, int to) {
        IntStream.range(from, to).forEach(i -> turns.add(tenant + "/" + i));
    }

    private List<String> take(int count) {
        return Stream.generate(turns::removeFirst).limit(count).toList();
    }
}
