package io.bucketwright.buckets;

import org.junit.jupiter.api.Order;

@Order(2)
class RookSchemaIT extends ForeignSchemaContract {

    @Override
    String owner() {
        return "rook";
    }
}
