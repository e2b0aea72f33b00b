package io.bucketwright.buckets;

import org.junit.jupiter.api.Order;

@Order(3)
class NoobaaSchemaIT extends ForeignSchemaContract {

    @Override
    String owner() {
        return "noobaa";
    }
}
