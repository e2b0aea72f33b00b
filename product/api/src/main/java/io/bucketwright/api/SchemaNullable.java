package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import io.fabric8.generator.annotation.Nullable;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The schema accepts an explicit {@code null}: Go controllers write one for an empty map or pointer, and users for a key
 * without a value. Wraps the annotation of the CRD generator, whose name clashes with JSpecify's.
 */
@Nullable
@JacksonAnnotationsInside
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
@interface SchemaNullable {}
