package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OverlayTest {

    private final Informer informer = new Informer();
    private final WriteOverlay<ConfigMap> overlay = new WriteOverlay<>(informer);

    @Test
    void aCreatedObjectIsReadBeforeTheInformerShowsIt() {
        informer.seen("10");
        overlay.written("ns/a", map("u1", "11"));
        assertThat(version()).isEqualTo("11");
    }

    @Test
    void aListNeverMissesAWriteThatTheInformerCatchesUpWithJustThen() {
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
    void aListShowsEachObjectOnceAndAsWeKnowIt() {
        informer.show(map("u1", "10"));
        overlay.written("ns/a", map("u1", "11"));
        assertThat(overlay.over(() -> List.of(map("u1", "10")), object -> true))
                .extracting(object -> object.getMetadata().getResourceVersion())
                .containsExactly("11");
        assertThat(overlay.over(() -> List.of(map("u1", "10")), object -> false))
                .isEmpty();
    }

    @Test
    void theNewerOfInformerAndWriteIsRead() {
        informer.show(map("u1", "10"));
        overlay.written("ns/a", map("u1", "11"));
        assertThat(version()).isEqualTo("11");
        informer.show(map("u1", "12"));
        assertThat(version()).isEqualTo("12");
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

    @Test
    void versionsAreNumbersNotWords() {
        informer.show(map("u1", "9"));
        overlay.written("ns/a", map("u1", "10"));
        assertThat(version()).isEqualTo("10");
    }

    @Test
    void anEntryLeavesWhenTheInformerHasCaughtUp() {
        informer.show(map("u1", "10"));
        overlay.written("ns/a", map("u1", "11"));
        informer.show(map("u1", "11"));
        overlay.prune("ns/a");
        assertThat(overlay.size()).isZero();
    }

    @Test
    void anAnswerThatComesAfterItsEventLeavesNothingBehind() {
        informer.show(map("u1", "11"));
        overlay.written("ns/a", map("u1", "11"));
        assertThat(overlay.size()).isZero();
    }

    @Test
    void anObjectSomebodyDeletedMeanwhileDoesNotComeBack() {
        overlay.written("ns/a", map("u1", "11"));
        informer.seen("12");
        assertThat(overlay.get("ns/a")).isEmpty();
        assertThat(overlay.size()).isZero();
    }

    @Test
    void aDeletedObjectIsGoneBeforeTheInformerShowsIt() {
        informer.show(map("u1", "10"));
        overlay.deleted("ns/a", map("u1", "10"));
        assertThat(overlay.get("ns/a")).isEmpty();
        informer.remove("11");
        assertThat(overlay.get("ns/a")).isEmpty();
        assertThat(overlay.size()).isZero();
    }

    @Test
    void createdAndDeletedBeforeTheInformerSawEither() {
        informer.seen("5");
        overlay.written("ns/a", map("u1", "10"));
        overlay.deleted("ns/a", map("u1", "10"));
        assertThat(overlay.get("ns/a")).isEmpty();
        informer.show(map("u1", "10"));
        assertThat(overlay.get("ns/a")).as("the creation is shown late").isEmpty();
        informer.remove("11");
        overlay.prune("ns/a");
        assertThat(overlay.size()).isZero();
    }

    @Test
    void aSuccessorOfADeletedObjectIsVisible() {
        informer.show(map("u1", "10"));
        overlay.deleted("ns/a", map("u1", "10"));
        informer.show(map("u2", "12"));
        assertThat(overlay.get("ns/a"))
                .get()
                .extracting(it -> it.getMetadata().getUid())
                .isEqualTo("u2");
        assertThat(overlay.size()).isZero();
    }

    @Test
    void aSuccessorWeMadeHidesTheTombstone() {
        informer.show(map("u1", "10"));
        overlay.deleted("ns/a", map("u1", "10"));
        overlay.written("ns/a", map("u2", "12"));
        assertThat(version()).isEqualTo("12");
    }

    @Test
    void aLateAnswerDoesNotHideADeletion() {
        informer.show(map("u1", "10"));
        overlay.deleted("ns/a", map("u1", "11"));
        overlay.written("ns/a", map("u1", "11"));
        assertThat(overlay.get("ns/a")).isEmpty();
    }

    @Test
    void answersInTheWrongOrderKeepTheNewer() {
        informer.show(map("u1", "10"));
        overlay.written("ns/a", map("u1", "12"));
        overlay.written("ns/a", map("u1", "11"));
        assertThat(version()).isEqualTo("12");
    }

    @Test
    void anObjectThatLeftTheScopeMayComeBackIntoIt() {
        informer.show(map("u1", "10"));
        overlay.left("ns/a", map("u1", "11"));
        assertThat(overlay.get("ns/a")).isEmpty();
        informer.remove("11");
        informer.show(map("u1", "13"));
        assertThat(version()).isEqualTo("13");
    }

    private String version() {
        return overlay.get("ns/a").orElseThrow().getMetadata().getResourceVersion();
    }

    private static ConfigMap map(String uid, String version) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withUid(uid)
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }

    private static final class Informer implements WriteOverlay.Base<ConfigMap> {

        private final Map<String, ConfigMap> objects = new HashMap<>();
        private String upTo = "1";

        void show(ConfigMap object) {
            objects.put("ns/a", object);
            upTo = object.getMetadata().getResourceVersion();
        }

        /** The object is there, the version and the indexes follow in a moment. */
        void hold(ConfigMap object) {
            objects.put("ns/a", object);
        }

        void remove(String version) {
            objects.clear();
            upTo = version;
        }

        void seen(String version) {
            upTo = version;
        }

        @Override
        public @Nullable ConfigMap get(String key) {
            return objects.get(key);
        }

        @Override
        public ResourceVersion upTo() {
            return ResourceVersion.of(upTo);
        }
    }
}
