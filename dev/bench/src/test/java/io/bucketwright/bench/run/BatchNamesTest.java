package io.bucketwright.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchNamesTest {

    @Test
    void stepsAddUpToTheCount() {
        assertThat(BatchNames.steps("step", 25, 10))
                .containsOnlyKeys(2, 5, 7, 10, 12, 15, 17, 20, 22, 25)
                .hasEntrySatisfying(5, names -> assertThat(names).containsExactly("step-2-0", "step-2-1", "step-2-2"));
        assertThat(BatchNames.steps("step", 3, 10)).containsOnlyKeys(1, 2, 3);
        assertThat(BatchNames.steps("step", 20_000, 10).values().stream()
                        .flatMap(names -> names.stream())
                        .distinct())
                .hasSize(20_000);
    }

    @Test
    void namesAreThoseOfObjects() {
        assertThat(BatchNames.of("bind again", 2)).containsExactly("bind-again-0", "bind-again-1");
        assertThat(BatchNames.single("one")).hasSize(20).contains("one-single-19");
    }
}
