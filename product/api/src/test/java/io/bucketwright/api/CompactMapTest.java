package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompactMapTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 16, 17, 40})
    void aCopyIsEqualInTheSameOrderAndImmutable(int size) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put("key " + (size - i), i % 3 == 1 ? null : "value " + i);
        }
        Map<String, @Nullable Object> copy = CompactMap.copyOf(map);
        assertThat(copy).isEqualTo(map).hasSameHashCodeAs(map).hasToString(map.toString());
        assertThat(map).isEqualTo(copy);
        map.forEach((key, value) -> {
            assertThat(copy.containsKey(key)).isTrue();
            assertThat(copy.get(key)).isEqualTo(value);
        });
        assertThat(copy.containsKey("key 0")).isFalse();
        assertThat(copy.get("key 0")).isNull();
        assertThat(CompactMap.copyOf(copy)).isEqualTo(map);
        assertThatThrownBy(() -> copy.put("another", "value")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> {
                    var entries = copy.entrySet().iterator();
                    entries.next();
                    entries.remove();
                })
                .isInstanceOfAny(UnsupportedOperationException.class, NoSuchElementException.class);
    }
}
