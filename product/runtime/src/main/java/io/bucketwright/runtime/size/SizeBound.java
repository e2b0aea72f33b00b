package io.bucketwright.runtime.size;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * Adds up what the bytes of a JSON text need as an object at most. It is too high for nearly all objects, because it takes
 * each byte for a whole character, and each comma for another value; but it needs no tokens.
 */
final class SizeBound extends OutputStream {

    private static final int[] COSTS = costs();

    private long size;

    long size() {
        return size;
    }

    @Override
    public void write(int octet) {
        size += COSTS[octet & 0xff];
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += COSTS[bytes[i] & 0xff];
        }
        size += sum;
    }

    /** What ObjectLimit adds for a value is here at the character before it. All others may be a character of two bytes. */
    private static int[] costs() {
        int[] costs = new int[256];
        Arrays.fill(costs, 2);
        costs['{'] = ObjectLimit.OBJECT;
        costs['['] = ObjectLimit.ARRAY + ObjectLimit.VALUE;
        costs[':'] = ObjectLimit.FIELD + ObjectLimit.VALUE;
        costs[','] = ObjectLimit.VALUE;
        return costs;
    }
}
