package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import io.fabric8.generator.annotation.Nullable;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The schema allows an explicit {@code null}: a Go controller writes one for each empty map or pointer, and a person for
 * each key left without a value. The generator's annotation of that meaning is wrapped because its name is JSpecify's.
 */
@Nullable
@JacksonAnnotationsInside
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
@interface SchemaNullable {}
