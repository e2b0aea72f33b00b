/** What users meet: many claims, servers that go away, hostile neighbours, on a real cluster and a real store. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.app.scenarios;
