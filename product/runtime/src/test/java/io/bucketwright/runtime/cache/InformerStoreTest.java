package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.TestObjects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class InformerStoreTest {

    private final InformerStore<ConfigMap> store = new InformerStore<>(UnaryOperator.identity());
    private final List<String> reported = new ArrayList<>();

    @Test
    void anIndexFindsAllObjectsOfAValueAndForgetsThoseThatChangeOrAreDeleted() {
        ObjectIndex<ConfigMap> byColour =
                store.indexBy(map -> List.copyOf(map.getData().values()));
        store.changed(map("a", "1", "red"));
        store.changed(map("b", "2", "red"));
        store.changed(map("c", "3", "blue"));
        assertThat(names(byColour, "red")).containsExactlyInAnyOrder("a", "b");
        store.changed(map("a", "4", "blue"));
        assertThat(names(byColour, "red")).containsExactly("b");
        assertThat(names(byColour, "blue")).containsExactlyInAnyOrder("a", "c");
        store.deleted(map("b", "2", "red"), "5");
        assertThat(byColour.keys("red")).isEmpty();
        store.complete(Set.of("ns/a"), "6");
        assertThat(names(byColour, "blue")).containsExactly("a");
    }

    @Test
    void aLateIndexOrListenerSeesWhatIsThere() {
        store.changed(map("a", "1", "red"));
        assertThat(names(store.indexBy(map -> List.copyOf(map.getData().values())), "red"))
                .containsExactly("a");
        listen();
        assertThat(reported).containsExactly("changed a 1");
    }

    @Test
    void aListenerReadsWhatItIsToldAbout() {
        store.listen(new CacheListener<>() {
            @Override
            public void changed(ConfigMap before, ConfigMap after) {
                reported.add(store.get("ns/a").orElseThrow().getMetadata().getResourceVersion() + " "
                        + store.version().value());
            }

            @Override
            public void deleted(ConfigMap last) {
                reported.add(
                        store.get("ns/a").isPresent() + " " + store.version().value());
            }
        });
        store.changed(map("a", "11", "red"));
        store.deleted(map("a", "11", "red"), "12");
        assertThat(reported).containsExactly("11 11", "false 12");
    }

    @Test
    void aVersionThatIsThereAlreadyIsNotReportedAgain() {
        listen();
        store.listed(map("a", "1", "red"));
        store.complete(Set.of("ns/a"), "5");
        store.listed(map("a", "1", "red"));
        store.complete(Set.of("ns/a"), "9");
        assertThat(reported).containsExactly("changed a 1");
        assertThat(store.version().value()).isEqualTo("9");
    }

    @Test
    void onlyTheExactVersionOfAnOwnWriteIsAnEcho() {
        ConfigMap own = map("a", "11", "red");
        store.overlay().written("ns/a", own);
        assertThat(store.echoed("ns/a", "uid-a", "10")).isFalse();
        assertThat(store.echoed("ns/a", "another", "11")).isFalse();
        assertThat(store.echoed("ns/b", "uid-a", "11")).isFalse();
        assertThat(store.echoed("ns/a", "uid-a", "11")).isTrue();
        assertThat(store.get("ns/a")).containsSame(own);
        assertThat(store.overlay().size()).isZero();
    }

    /** Somebody deleted it while the watch was interrupted, so no event shows it or its deletion. */
    @Test
    void anOwnWriteThatALaterListDoesNotContainIsReportedAsDeleted() {
        listen();
        store.overlay().written("ns/a", map("a", "11", "red"));
        store.overlay().written("ns/later", map("later", "21", "red"));
        store.listed(map("b", "5", "red"));
        store.complete(Set.of("ns/b"), "20");
        assertThat(reported).containsExactly("changed b 5", "deleted a");
        store.complete(Set.of("ns/b"), "20");
        assertThat(reported).hasSize(2);
    }

    @Test
    void anOwnWriteThatAListShowsWithAnotherUidIsReportedAsDeleted() {
        listen();
        store.overlay().written("ns/a", map("a", "11", "red"));
        ConfigMap other = map("a", "15", "red");
        other.getMetadata().setUid("other");
        store.listed(other);
        store.complete(Set.of("ns/a"), "20");
        assertThat(reported).containsExactly("changed a 15", "deleted a");
    }

    @Test
    void aDeletedOrHiddenOwnWriteIsNoEcho() {
        store.overlay().deleted("ns/a", map("a", "11", "red"));
        assertThat(store.echoed("ns/a", "uid-a", "11")).isFalse();
        store.overlay().left("ns/b", map("b", "12", "red"));
        assertThat(store.echoed("ns/b", "uid-b", "12")).isFalse();
    }

    @Test
    void theLastAppliedConfigurationIsNotKept() {
        ConfigMap map = map("a", "1", "red");
        map.getMetadata()
                .setAnnotations(Map.of("kubectl.kubernetes.io/last-applied-configuration", "{}", "other", "kept"));
        store.changed(map);
        assertThat(store.get("ns/a").orElseThrow().getMetadata().getAnnotations())
                .isEqualTo(Map.of("other", "kept"));
    }

    @Test
    void compactMetadataIsEqual() {
        ConfigMap map = map("a", "1", "red");
        map.getMetadata().setLabels(new LinkedHashMap<>(Map.of("one", "1")));
        map.getMetadata().setAnnotations(new LinkedHashMap<>(Map.of("one", "1", "two", "2")));
        map.getMetadata().setFinalizers(new ArrayList<>(List.of("x", "y")));
        ConfigMap same = new ConfigMapBuilder(map).build();
        store.changed(map);
        assertThat(store.get("ns/a")).contains(same);
    }

    @Test
    void aNewVersionOfAnObjectSharesWhatDidNotChange() {
        ConfigMap first = labelled(new String("uid".toCharArray()), "1", "x");
        store.changed(first);
        ConfigMap second = labelled(new String("uid".toCharArray()), "2", "x");
        second.getMetadata().setFinalizers(List.of("z"));
        store.changed(second);
        ConfigMap shown = store.get("ns/a").orElseThrow();
        assertThat(shown.getMetadata().getResourceVersion()).isEqualTo("2");
        assertThat(shown.getMetadata().getFinalizers()).containsExactly("z");
        assertThat(shown.getMetadata().getUid()).isSameAs(first.getMetadata().getUid());
        assertThat(shown.getMetadata().getLabels()).isSameAs(first.getMetadata().getLabels());
        store.changed(labelled("another", "3", "y"));
        assertThat(store.get("ns/a").orElseThrow().getMetadata().getUid()).isEqualTo("another");
        assertThat(store.get("ns/a").orElseThrow().getMetadata().getLabels()).containsValue("y");
    }

    private static ConfigMap labelled(String uid, String version, String label) {
        ConfigMap map = map("a", version, "red");
        map.getMetadata().setUid(uid);
        map.getMetadata().setLabels(new LinkedHashMap<>(Map.of("one", label)));
        return map;
    }

    private void listen() {
        store.listen(new CacheListener<>() {
            @Override
            public void changed(ConfigMap before, ConfigMap after) {
                reported.add("changed " + after.getMetadata().getName() + " "
                        + after.getMetadata().getResourceVersion());
            }

            @Override
            public void deleted(ConfigMap last) {
                reported.add("deleted " + last.getMetadata().getName());
            }
        });
    }

    private List<String> names(ObjectIndex<ConfigMap> index, String value) {
        return store.list(index, value).stream()
                .map(map -> map.getMetadata().getName())
                .toList();
    }

    private static ConfigMap map(String name, String version, String colour) {
        ConfigMap map = TestObjects.configMap(name, "uid-" + name, version);
        map.setData(Map.of("colour", colour));
        return map;
    }
}
