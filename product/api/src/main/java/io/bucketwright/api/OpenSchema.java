package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The schema preserves unknown fields. Only for fields that controllers write, so that typing errors of users are reported. */
@PreserveUnknownFields
@JacksonAnnotationsInside
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
@interface OpenSchema {}
