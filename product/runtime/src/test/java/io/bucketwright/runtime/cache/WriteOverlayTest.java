package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.TestObjects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteOverlayTest {

    private final Informer informer = new Informer();
    private final WriteOverlay<ConfigMap> overlay = new WriteOverlay<>(informer::get, informer::version);

    /**
     * Steps: the informer has {@code seen} a version, {@code shows} uid@version, or has {@code
     * removed} the object as of a version; this process {@code wrote}, {@code deleted} or moved out of the scope ({@code
     * left}) uid@version. Then a read returns the {@code version}, or {@code nothing}, and there are {@code entries}.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            a created object is read before the informer shows it       | seen 10, wrote u1@11, version 11
            the newer of informer and write is read                     | shows u1@10, wrote u1@11, version 11, shows u1@12, version 12
            versions are compared as numbers                            | shows u1@9, wrote u1@10, version 10
            an entry is removed when the informer has caught up         | shows u1@10, wrote u1@11, shows u1@11, prune, entries 0
            a response after its watch event leaves no entry            | shows u1@11, wrote u1@11, entries 0
            an object that somebody deleted meanwhile is not read       | wrote u1@11, seen 12, nothing, entries 0
            a deleted object is not read before the informer removes it | shows u1@10, deleted u1@10, nothing, removed 11, nothing, entries 0
            created and deleted before the informer has seen either     | seen 5, wrote u1@10, deleted u1@10, nothing, shows u1@10, nothing, removed 11, prune, entries 0
            a successor of a deleted object is read                     | shows u1@10, deleted u1@10, shows u2@12, version 12, entries 0
            an own successor replaces the deletion                      | shows u1@10, deleted u1@10, wrote u2@12, version 12
            a late response does not undo a deletion                    | shows u1@10, deleted u1@11, wrote u1@11, nothing
            of responses in the wrong order the newer is read           | shows u1@10, wrote u1@12, wrote u1@11, version 12
            an object that left the scope may enter it again            | shows u1@10, left u1@11, nothing, removed 11, shows u1@13, version 13
            """)
    void readsAreAtLeastAsNewAsOwnWrites(String rule, String steps) {
        Stream.of(steps.split(", ", -1)).forEach(this::apply);
    }

    private void apply(String step) {
        String[] words = step.split("[ @]", -1);
        switch (words[0]) {
            case "seen" -> informer.seen(words[1]);
            case "shows" -> informer.show(map(words[1], words[2]));
            case "removed" -> informer.remove(words[1]);
            case "wrote" -> overlay.written("ns/a", map(words[1], words[2]));
            case "deleted" -> overlay.deleted("ns/a", map(words[1], words[2]));
            case "left" -> overlay.left("ns/a", map(words[1], words[2]));
            case "prune" -> overlay.prune("ns/a");
            case "version" -> assertThat(version()).isEqualTo(words[1]);
            case "nothing" -> assertThat(overlay.get("ns/a")).isEmpty();
            case "entries" -> assertThat(overlay.size()).isEqualTo(Integer.parseInt(words[1]));
            default -> throw new IllegalArgumentException(step);
        }
    }

    @Test
    void aListContainsAWriteThatTheInformerCatchesUpWithMeanwhile() {
        overlay.written("ns/a", map("u1", "11"));
        List<ConfigMap> list = overlay.over(
                () -> {
                    // The list was taken a moment before the event came.
                    List<ConfigMap> before = List.of();
                    informer.show(map("u1", "11"));
                    overlay.prune("ns/a");
                    return before;
                },
                object -> true);
        assertThat(list).hasSize(1);
    }

    @Test
    void aListByIndexFindsAWriteThatTheInformerHoldsButHasNotIndexedYet() {
        overlay.written("ns/a", map("u1", "11"));
        informer.hold(map("u1", "11"));
        overlay.prune("ns/a");
        assertThat(overlay.over(List::of, object -> true)).hasSize(1);
        informer.seen("11");
        overlay.prune("ns/a");
        assertThat(overlay.size()).isZero();
    }

    @Test
    void aListContainsEachObjectOnceInItsNewestVersion() {
        informer.show(map("u1", "10"));
        overlay.written("ns/a", map("u1", "11"));
        assertThat(overlay.over(() -> List.of(map("u1", "10")), object -> true))
                .extracting(object -> object.getMetadata().getResourceVersion())
                .containsExactly("11");
        assertThat(overlay.over(() -> List.of(map("u1", "10")), object -> false))
                .isEmpty();
    }

    @Test
    void aDeletedObjectDoesNotUncoverItsPredecessorInALateInformer() {
        informer.show(map("u1", "10"));
        overlay.deleted("ns/a", map("u1", "10"));
        overlay.written("ns/a", map("u2", "11"));
        overlay.deleted("ns/a", map("u2", "11"));
        assertThat(overlay.get("ns/a")).isEmpty();
        informer.show(map("u3", "13"));
        assertThat(version()).isEqualTo("13");
    }

    @Test
    void anObjectThatLeftTheScopeDoesNotUncoverItsPredecessorInALateInformer() {
        informer.show(map("u1", "10"));
        overlay.written("ns/a", map("u2", "11"));
        overlay.left("ns/a", map("u2", "12"));
        assertThat(overlay.get("ns/a")).isEmpty();
    }

    private String version() {
        return overlay.get("ns/a").orElseThrow().getMetadata().getResourceVersion();
    }

    private static ConfigMap map(String uid, String version) {
        return TestObjects.configMap("a", uid, version);
    }

    private static final class Informer {

        private Optional<ConfigMap> object = Optional.empty();
        private String upTo = "1";

        void show(ConfigMap shown) {
            hold(shown);
            upTo = shown.getMetadata().getResourceVersion();
        }

        /** The object is there, the version and the indexes follow in a moment. */
        void hold(ConfigMap held) {
            object = Optional.of(held);
        }

        void remove(String version) {
            object = Optional.empty();
            upTo = version;
        }

        void seen(String version) {
            upTo = version;
        }

        Optional<ConfigMap> get(String key) {
            return object;
        }

        ResourceVersion version() {
            return ResourceVersion.of(upTo);
        }
    }
}
