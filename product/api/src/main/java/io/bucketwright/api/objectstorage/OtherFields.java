package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Holds the fields of a spec that are empty, and those that this release does not know. A sidecar may not patch, so it replaces
 * an object as a whole: a field that it does not write back is a change of the spec.
 */
@JsonAnyGetter
@SchemaFrom(type = void.class)
@JacksonAnnotationsInside
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@interface OtherFields {}
