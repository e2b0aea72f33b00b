package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The schema keeps fields it does not name. For what only controllers write: there it hides no person's typing error. */
@PreserveUnknownFields
@JacksonAnnotationsInside
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
@interface OpenSchema {}
