package io.bucketwright.buckets.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.errors.StoreException.Invalid;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class ProvisionerNameTest {

    @Property(tries = 200)
    void everyLabelOfAProvisionerIsValid(
            @ForAll @StringLength(min = 1, max = 120) @CharRange(from = 'a', to = 'c') String name) {
        assertThat(new ProvisionerName(name + "/b").label())
                .hasSizeLessThanOrEqualTo(63)
                .matches("[a-z0-9]([a-z0-9._-]*[a-z0-9])?");
    }

    @Test
    void aProvisionerNeedsAValidName() {
        assertThatThrownBy(() -> new ProvisionerName("Not OK"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("Not OK");
    }
}
