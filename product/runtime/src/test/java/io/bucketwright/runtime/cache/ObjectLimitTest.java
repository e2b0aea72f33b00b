package io.bucketwright.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.runtime.IdleInformers;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.cache.LampInformer.Lamp;
import io.bucketwright.runtime.json.LenientValues;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.bucketwright.runtime.size.ObjectLimit;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Isolated("It measures the heap.")
class ObjectLimitTest {

    /** How a tenant makes an object large. Each has about a number of bytes as JSON. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions are constants
    enum Shape {
        LABELS(bytes -> metadata("labels", "{" + entries(bytes, "\"%s\":\"\"") + "}")),
        ANNOTATIONS(bytes -> metadata("annotations", "{" + entries(bytes, "\"%s\":\"x\"") + "}")),
        OWN_ANNOTATIONS(bytes -> metadata("annotations", "{" + entries(bytes, "\"bucketwright.io/%s\":\"x\"") + "}")),
        ONE_ANNOTATION(bytes -> metadata("annotations", "{\"a\":\"" + "x".repeat(bytes) + "\"}")),
        FINALIZERS(bytes -> metadata("finalizers", "[" + entries(bytes, "\"x.y/%s\"") + "]")),
        OWNERS(bytes -> metadata(
                "ownerReferences",
                "[" + entries(bytes, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"%s\",\"uid\":\"u\"}") + "]")),
        WIDE_TEXT(bytes -> spec("\"volumeName\":\"" + "\u4e00".repeat(bytes / 3) + "\"")),
        MODES(bytes -> spec("\"accessModes\":[" + entries(bytes, "\"%s\"") + "]")),
        UNKNOWN_FIELDS(bytes -> spec(entries(bytes, "\"%s\":1"))),
        UNKNOWN_OBJECTS(bytes -> spec("\"unknown\":[" + "{},".repeat(bytes / 3) + "{}]")),
        UNKNOWN_LISTS(bytes -> spec("\"unknown\":[" + "[],".repeat(bytes / 3) + "[]]")),
        EXPRESSIONS(bytes -> spec("\"selector\":{\"matchExpressions\":[" + entries(bytes, "{\"key\":\"%s\"}") + "]}")),
        CONDITIONS(bytes -> "\"status\":{\"conditions\":[" + entries(bytes, "{\"type\":\"%s\"}") + "]}");

        private final IntFunction<String> content;

        Shape(IntFunction<String> content) {
            this.content = content;
        }
    }

    private static final int LARGEST = 3 << 19;
    private static final int OBJECTS = 3 * Shape.values().length;
    private static final UnaryOperator<PersistentVolumeClaim> NONE = UnaryOperator.identity();

    private final ObjectMapper mapper = LenientValues.mapper();
    private final ObjectLimit limit = new ObjectLimit();
    private final InformerStore<PersistentVolumeClaim> store = new InformerStore<>(NONE, limit::apply);

    @Test
    void objectsOfTheLargestSizeCostAFixedAmount() throws IOException {
        // Not the heap: Jackson's table of names, which is shared, grows with such objects.
        List<String> contents = Stream.of(Shape.values())
                .map(shape -> shape.content.apply(LARGEST))
                .toList();
        long _ = heap(PersistentVolumeClaim.class, NONE, contents, OBJECTS / contents.size(), store);
        assertThat(store.list())
                .hasSize(OBJECTS)
                .allSatisfy(claim -> assertThat(Serialization.asJson(claim)).hasSizeLessThan(ObjectSize.LIMIT))
                .allMatch(ObjectSize::isTooLarge)
                .allSatisfy(claim -> {
                    assertThat(claim.getMetadata().getUid()).isEqualTo("uid");
                    assertThat(claim.getSpec().getStorageClassName()).isEqualTo("slow");
                });
    }

    /** An object that is kept as a whole does not need more than the limit either. */
    @ParameterizedTest
    @EnumSource
    void theLargestObjectsThatAreKeptNeedNoMoreThanTheLimit(Shape shape) throws IOException {
        assertLargestKept(PersistentVolumeClaim.class, NONE, shape.content);
    }

    @Test
    void theLargestTrimmedPodsNeedNoMoreThanTheLimit() throws IOException {
        String volume = "{\"name\":\"%s\",\"persistentVolumeClaim\":{\"claimName\":\"c\"},\"emptyDir\":{}}";
        assertLargestKept(
                Pod.class, ObjectLimitTest::trimmed, bytes -> spec("\"volumes\":[" + entries(bytes, volume) + "]"));
    }

    @Test
    void theLargestCustomResourcesNeedNoMoreThanTheLimit() throws IOException {
        assertLargestKept(Lamp.class, UnaryOperator.identity(), bytes -> spec(entries(bytes, "\"%s\":{\"a\":[]}")));
    }

    private <T extends HasMetadata> void assertLargestKept(
            Class<T> type, UnaryOperator<T> trim, IntFunction<String> content) throws IOException {
        int kept = 1;
        for (int step = ObjectSize.LIMIT; step > 0; step /= 2) {
            T object = trim.apply(decode(type, content.apply(kept + step), "one"));
            kept += ObjectSize.isTooLarge(limit.apply(object)) ? 0 : step;
        }
        InformerStore<T> keeping = new InformerStore<>(trim, limit::apply);
        assertThat(heap(type, trim, List.of(content.apply(kept)), 20, keeping)).isLessThan(20L * ObjectSize.LIMIT);
        assertThat(keeping.list()).hasSize(20).noneMatch(ObjectSize::isTooLarge);
    }

    /** As a controller does that reads the volumes only. */
    private static Pod trimmed(Pod pod) {
        return new PodBuilder()
                .withMetadata(pod.getMetadata())
                .withNewSpec()
                .withVolumes(pod.getSpec().getVolumes().stream()
                        .map(volume -> new VolumeBuilder()
                                .withName(volume.getName())
                                .withPersistentVolumeClaim(volume.getPersistentVolumeClaim())
                                .build())
                        .toList())
                .endSpec()
                .build();
    }

    @Test
    void anObjectThatIsNestedDeeplyIsKeptWithoutItsContent() {
        String nested = spec("\"unknown\":" + "[".repeat(9_000) + "]".repeat(9_000));
        PersistentVolumeClaim claim = limit.apply(decode(nested, "claim"));
        assertThat(claim.getMetadata().getName()).isEqualTo("claim");
        assertThat(claim).matches(ObjectSize::isTooLarge);
    }

    @Test
    void anOrdinaryObjectIsKeptAsItIs() {
        PersistentVolumeClaim claim = decode(Shape.LABELS, 2_000, "claim");
        assertThat(limit.apply(claim)).isSameAs(claim);
    }

    @Test
    void anObjectThatShrinksIsCompleteAgain() {
        store.changed(decode(Shape.LABELS, LARGEST, "claim"));
        assertThat(store.list()).allMatch(ObjectSize::isTooLarge);
        PersistentVolumeClaim small = decode(Shape.LABELS, 100, "claim");
        small.getMetadata().setResourceVersion("8");
        store.changed(small);
        assertThat(store.list()).containsExactly(small).noneMatch(ObjectSize::isTooLarge);
    }

    @Test
    void theConditionsThatControllersWroteLastAndAllFinalizersAreKept() {
        String others = entries(LARGEST, "{\"type\":\"%s\"}");
        PersistentVolumeClaim claim = limit.apply(decode(
                metadata("finalizers", "[\"a/b\",\"c/d\"]") + ",\"status\":{\"conditions\":[" + others
                        + ",{\"type\":\"Ready\",\"status\":\"False\",\"message\":\"" + "m".repeat(1000) + "\"}]}",
                "claim"));
        assertThat(claim.getStatus().getConditions().getLast().getType()).isEqualTo("Ready");
        assertThat(claim.getStatus().getConditions().getLast().getMessage()).hasSize(1000);
        assertThat(Metadata.finalizers(claim)).containsExactly("a/b", "c/d");
    }

    @Test
    void aPatchCannotRemoveFinalizersThatAreNotKept() {
        assertThat(MetadataTrim.hasAllFinalizers(limit.apply(decode(Shape.FINALIZERS, LARGEST, "claim"))))
                .isFalse();
    }

    @Test
    void onlyKindsOfAdministratorsAreUnlimited() {
        ObjectCaches caches = new ObjectCaches(new IdleInformers(), new SimpleMeterRegistry());
        assertThat(caches.unlimited(StorageClass.class, Scope.everything())).isNotNull();
        assertThatThrownBy(() -> caches.unlimited(PersistentVolumeClaim.class, Scope.everything()))
                .hasMessageContaining("Tenants can write objects of kind PersistentVolumeClaim");
    }

    /** The heap that the store needs for objects with each of these contents. */
    private <T extends HasMetadata> long heap(
            Class<T> type, UnaryOperator<T> trim, List<String> contents, int each, InformerStore<T> into)
            throws IOException {
        ObjectDecoder<T> decoder = new ObjectDecoder<>(mapper, type);
        ListDecoder<T> pages = new ListDecoder<>(decoder, new LenientObjects<>("objects", decoder));
        // Fills the buffers of the parser. Its table of names is as large as the last object had names.
        InformerStore<T> warm = new InformerStore<>(trim, limit::apply);
        list(type, pages, contents, 1, warm);
        list(type, pages, List.of(spec("")), 3, warm);
        long before = used();
        list(type, pages, contents, each, into);
        list(type, pages, List.of(spec("")), 3, warm);
        long used = used() - before;
        assertThat(warm.list()).hasSizeGreaterThanOrEqualTo(contents.size());
        return used;
    }

    private static <T extends HasMetadata> void list(
            Class<T> type, ListDecoder<T> pages, List<String> contents, int each, InformerStore<T> into)
            throws IOException {
        int number = 0;
        for (String content : contents) {
            for (int i = 0; i < each; i++) {
                String items = json(type, content, "c" + number++);
                pages.read(
                        stream("{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[" + items + "]}\n"), into::listed);
            }
        }
    }

    private static ByteArrayInputStream stream(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    /** When it no longer changes: what threads of earlier tests leave is freed little by little. */
    private static long used() {
        long last = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20; attempt++) {
            System.gc();
            long used =
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            if (Math.abs(last - used) < 16 << 10) {
                return used;
            }
            last = used;
        }
        return last;
    }

    private PersistentVolumeClaim decode(Shape shape, int bytes, String name) {
        return decode(shape.content.apply(bytes), name);
    }

    private PersistentVolumeClaim decode(String content, String name) {
        return decode(PersistentVolumeClaim.class, content, name);
    }

    private <T extends HasMetadata> T decode(Class<T> type, String content, String name) {
        ObjectDecoder<T> decoder = new ObjectDecoder<>(mapper, type);
        try (var parser = decoder.parser(json(type, content, name).getBytes(StandardCharsets.UTF_8))) {
            parser.nextToken();
            return decoder.decode(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String json(Class<? extends HasMetadata> type, String content, String name) {
        String metadata = "\"namespace\":\"ns\",\"name\":\"" + name + "\",\"uid\":\"uid\",\"resourceVersion\":\"7\"";
        return Stream.of(content)
                .map(text -> text.contains("\"metadata\":{")
                        ? text.replace("\"metadata\":{", "\"metadata\":{" + metadata + ",")
                        : "\"metadata\":{" + metadata + "}," + text)
                .map(text -> text.contains("\"spec\":{")
                        ? text.replace("\"spec\":{", "\"spec\":{\"storageClassName\":\"slow\",")
                                .replace(",}", "}")
                        : "\"spec\":{\"storageClassName\":\"slow\"}," + text)
                .collect(Collectors.joining("", "{\"kind\":\"" + HasMetadata.getKind(type) + "\",", "}"));
    }

    private static String metadata(String field, String value) {
        return "\"metadata\":{\"" + field + "\":" + value + "}";
    }

    private static String spec(String fields) {
        return "\"spec\":{" + fields + "}";
    }

    /** As many different entries as fit. */
    private static String entries(int bytes, String format) {
        int each = format.length() + 2;
        List<String> entries = IntStream.range(0, Math.max(1, bytes / each))
                .mapToObj(number -> format.formatted(Integer.toString(number, 36)))
                .toList();
        return String.join(",", entries);
    }
}
