package io.bucketwright.api.text;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An enum whose {@code toString} is its text in Kubernetes objects. */
public interface TextEnum {

    /** The text in Kubernetes objects. */
    default String text() {
        return toString();
    }

    /** The constant with exactly that text; empty for any other text. */
    static <E extends TextEnum> Optional<E> find(E[] constants, @Nullable String text) {
        return Stream.of(constants)
                .filter(constant -> constant.text().equals(text))
                .findFirst();
    }

    /** The constant with that text in upper or lower case; empty for any other text. */
    static <E extends TextEnum> Optional<E> findIgnoringCase(E[] constants, @Nullable String text) {
        return Stream.of(constants)
                .filter(constant -> constant.text().equalsIgnoreCase(text))
                .findFirst();
    }
}
